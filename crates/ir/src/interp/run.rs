//! The course of a run: everything between the pauses of the loop that executes instructions.
//!
//! Where more than one thread is alive, each edge is followed by the choice of the thread that executes the next one, from
//! all that can: those at a location that some edge leaves now. A thread in an atomic section is not interrupted.

use super::choices::ChoiceError;
use super::code::{Code, Operand, Probe};
use super::collect::FIRST;
use super::compile::{Memo, compile, compile_probe};
use super::exec::Pause;
use super::instr::Instr;
use super::layout::{Home, Layout};
use super::machine::Machine;
use super::observe::Observer;
use super::outcome::{End, Limit, Trap};
use crate::memory::{ALIVE, SIZE};
use crate::{LocId, LocationKind, Program};
use std::sync::atomic::Ordering;
use std::time::Instant;

/// How many edges are executed between two looks at the clock: a prime number, so that a look does not find a loop at the same
/// place each time.
const PATIENCE: u64 = (1 << 16) + 1;
/// And how many until rounds of a loop are skipped again, where some were.
const SOON: u64 = (1 << 8) + 1;
/// Where none can be skipped, so many looks pass at most until that is tried again.
const MOST_LOOKS: u32 = 64;

/// A run under way.
pub(super) struct Run<'a, 'r> {
    pub program: &'r Program,
    pub layout: &'r Layout,
    pub code: &'a mut Code,
    pub memo: &'a mut Memo,
    pub machine: Machine<'r>,
    /// When limits other than steps are to be looked at again.
    pub next_look: u64,
    pub skipping: Skipping,
    /// How many objects there are when those are given back that nothing can reach.
    pub next_collection: usize,
}

/// Which looks try to skip rounds of loops: fewer and fewer, as long as they do not.
#[derive(Default)]
pub(super) struct Skipping {
    /// How many pass after a failure, and how many of these are left.
    wait: u32,
    left: u32,
}

impl Skipping {
    fn attempt(&mut self, skip: impl FnOnce() -> bool) -> bool {
        if self.left > 0 {
            self.left -= 1;
            return false;
        }
        let has_skipped = skip();
        self.wait = if has_skipped { 0 } else { (self.wait + 1).min(MOST_LOOKS) };
        self.left = self.wait;
        has_skipped
    }
}

impl Run<'_, '_> {
    /// Executes the program from the start.
    pub fn run(&mut self) -> End {
        match self.begin().and_then(|()| self.proceed()) {
            Ok(end) => end,
            Err(trap) => trap.into(),
        }
    }

    fn begin(&mut self) -> Result<(), Trap> {
        let entry = self.program.entry;
        self.compile(entry)?;
        let body = self.code.bodies[entry.0 as usize].as_ref();
        let body = body.ok_or_else(|| Trap::Internal("the entry was not compiled".into()))?;
        let machine = &mut self.machine;
        machine.add_thread();
        let at = machine.at(self.code, 0);
        for global in &self.program.globals {
            let Some(home) = self.layout.homes.get(&global.term).copied() else { continue };
            // Accesses to memory read these two, although no term says so.
            let implied = matches!(global.name().as_str(), SIZE | ALIVE);
            let content = match home {
                Home::Memory => continue,
                Home::Boxed(reg) if self.layout.base == Some(reg) => Machine::addresses(),
                _ if implied || body.globals_read_first.contains(&global.term) => machine.initial(global, &at)?,
                _ => machine.placeholder(global.sort()),
            };
            machine.put(home, content)?;
        }
        for (number, axiom) in self.program.axioms.iter().enumerate() {
            match machine.holds(*axiom)? {
                Some(true) => {}
                Some(false) => return Err(Trap::Blocked),
                None => machine.unchecked_axioms.push(number),
            }
        }
        let parameters = &self.program.procedure(entry).parameters;
        let arguments = parameters.iter().map(|p| machine.initial(p, &at)).collect::<Result<Vec<_>, _>>()?;
        machine.start(self.code, entry, body, arguments)?;
        self.look()
    }

    fn proceed(&mut self) -> Result<End, Trap> {
        loop {
            let is_awake = |observer: &&mut dyn Observer| observer.sleeps_until() <= self.machine.steps;
            let pause = if self.machine.observer.as_ref().is_some_and(is_awake) {
                self.machine.execute::<true>(self.code)
            } else {
                self.machine.execute::<false>(self.code)
            };
            let pause = match pause {
                Err(Trap::Limit(Limit::Memory)) if self.make_room() => continue,
                pause => pause?,
            };
            match pause {
                Pause::Checkpoint => {
                    // Arriving at such a location has its effect before anything else happens.
                    if matches!(self.code.instrs[self.machine.pc as usize], Instr::Return | Instr::Stop) {
                        continue;
                    }
                    self.look()?;
                    self.schedule(None)?;
                }
                Pause::Compile(procedure) => self.compile(procedure)?,
                Pause::ThreadEnded => self.schedule(Some(self.machine.current))?,
                Pause::Finished => return self.finished(),
                Pause::Stopped => return self.stopped(),
                Pause::Answer(_) => return Err(Trap::Internal("an answer without a question".into())),
            }
        }
    }

    /// Where the program's memory is full: gives back what nothing can reach. Whether that was much, so that the instruction
    /// is worth another try.
    fn make_room(&mut self) -> bool {
        let machine = &mut self.machine;
        let about_memory = matches!(
            self.code.instrs[machine.pc as usize],
            Instr::Load { .. }
                | Instr::LoadPointer { .. }
                | Instr::MemStore { .. }
                | Instr::MemStorePointer { .. }
                | Instr::MemCopy { .. }
                | Instr::MemFill { .. }
        );
        let before = machine.memory.bytes();
        about_memory && {
            self.next_collection = FIRST.max(2 * machine.collect(self.code));
            machine.memory.bytes() < before / 4 * 3
        }
    }

    fn compile(&mut self, procedure: crate::ProcId) -> Result<(), Trap> {
        compile(self.program, self.layout, self.code, self.memo, procedure);
        self.machine.load_constants(self.code);
        match &self.code.bodies[procedure.0 as usize] {
            Some(_) => Ok(()),
            None => Err(Trap::Internal("a procedure without a body was compiled".into())),
        }
    }

    /// Looks at the limits and decides when to look again.
    fn look(&mut self) -> Result<(), Trap> {
        let machine = &mut self.machine;
        let limits = machine.limits;
        if machine.steps - machine.statistics.skipped >= limits.steps {
            return Err(Trap::Limit(Limit::Steps));
        }
        let wakes = machine.observer.as_ref().map(|observer| observer.sleeps_until());
        let is_awake = wakes.is_some_and(|wakes| wakes <= machine.steps);
        if machine.steps >= self.next_look {
            let until = wakes.unwrap_or(u64::MAX);
            let may_skip = !is_awake && !limits.one_by_one && machine.steps > 0;
            let has_skipped = may_skip && self.skipping.attempt(|| machine.skip_rounds(self.code, until));
            if limits.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
                return Err(Trap::Limit(Limit::Cancelled));
            }
            if limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Err(Trap::Limit(Limit::Time));
            }
            if machine.memory.count() > self.next_collection {
                self.next_collection = FIRST.max(2 * machine.collect(self.code));
            }
            let (held, largest) = machine.held();
            let room = limits.memory.checked_sub(held).ok_or(Trap::Limit(Limit::Memory))?;
            // A step may make a copy of the largest.
            let patience = (room / largest.max(1)).clamp(SOON, PATIENCE);
            self.next_look = machine.steps + if has_skipped { SOON } else { patience };
        }
        let next = self.next_look.min(limits.steps.saturating_add(machine.statistics.skipped));
        machine.checkpoint = if is_awake { next } else { next.min(wakes.unwrap_or(u64::MAX)) };
        Ok(())
    }

    /// Chooses the thread that executes the next edge; one may just have ended.
    fn schedule(&mut self, ended: Option<usize>) -> Result<(), Trap> {
        if self.machine.threads.len() == 1 || self.machine.thread().atomic > 0 && ended.is_none() {
            return Ok(());
        }
        let at = self.machine.at(self.code, self.machine.pc);
        self.machine.thread_mut().pc = self.machine.pc;
        let mut runnable = Vec::new();
        for thread in 0..self.machine.threads.len() {
            if ended != Some(thread) && self.can_run(thread)? {
                runnable.push(thread);
            }
        }
        let chosen = match runnable[..] {
            [] => return Err(Trap::Blocked),
            [only] => only,
            _ => {
                let ids: Vec<u32> = runnable.iter().map(|thread| self.machine.threads[*thread].id).collect();
                self.machine.facts.asked += 1;
                let index = self.machine.facts.choices.schedule(&ids, &at)?;
                let wrong = || ChoiceError::mismatch(format!("one of {} threads", ids.len()), index);
                *runnable.get(index).ok_or_else(wrong)?
            }
        };
        let machine = &mut self.machine;
        machine.switch_to(chosen)?;
        machine.pc = machine.thread().pc;
        if let Some(ended) = ended {
            machine.remove_thread(ended);
        }
        if machine.thread().id != at.thread {
            machine.observe_switch();
        }
        machine.checkpoint = if machine.threads.len() > 1 { machine.steps + 1 } else { machine.checkpoint };
        Ok(())
    }

    /// Whether some edge leaves the location where a thread is.
    fn can_run(&mut self, thread: usize) -> Result<bool, Trap> {
        let (pc, running) = (self.machine.pc, self.machine.current);
        let next = self.machine.threads[thread].pc;
        let Some(frame) = self.machine.threads[thread].frames.last().copied() else { return Ok(false) };
        let body = self.code.bodies[frame.procedure.0 as usize].as_ref();
        let location = body.map_or(LocId(0), |body| body.origin(next).location);
        let Some(probe) = self.probe((frame.procedure, location)) else { return Ok(false) };
        let code = match probe {
            Probe::Always => return Ok(true),
            Probe::Never => return Ok(false),
            Probe::Ask(code) => code,
        };
        let machine = &mut self.machine;
        machine.switch_to(thread)?;
        // The question may need more registers than the frame had.
        let extent = machine.body(self.code)?.frame;
        machine.reserve(frame.base + extent.slots as usize, frame.box_base + extent.boxes as usize)?;
        machine.find_frame();
        machine.pc = code;
        let answer = machine.execute::<false>(self.code);
        machine.returns.clear();
        machine.switch_to(running)?;
        machine.pc = pc;
        match answer {
            Ok(Pause::Answer(answer)) => Ok(answer),
            Ok(_) => Err(Trap::Internal("a question without an answer".into())),
            // What is wrong with the question shows when the thread itself asks it.
            Err(Trap::Undefined(_) | Trap::Unsupported(_)) => Ok(true),
            Err(trap) => Err(trap),
        }
    }

    fn probe(&mut self, location: (crate::ProcId, LocId)) -> Option<Probe> {
        if let Some(known) = self.code.probes.get(&location) {
            return Some(*known);
        }
        let probe = compile_probe(self.program, self.layout, self.code, self.memo, location)?;
        self.code.probes.insert(location, probe);
        self.machine.load_constants(self.code);
        Some(probe)
    }

    fn finished(&mut self) -> Result<End, Trap> {
        let results = &self.program.procedure(self.program.entry).results;
        let operands: Vec<Operand> = self.machine.body(self.code)?.results.clone();
        let values = results.iter().zip(operands);
        Ok(End::Finished(values.filter_map(|(r, o)| Some((r.term, self.machine.value(o)?))).collect()))
    }

    fn stopped(&mut self) -> Result<End, Trap> {
        let at = self.machine.at(self.code, self.machine.pc);
        let kind = match &self.program.procedure(at.procedure).body {
            Ok(cfa) => cfa.location(at.location).kind,
            Err(_) => LocationKind::Plain,
        };
        Ok(match kind {
            LocationKind::Plain => {
                // Other threads may still go on.
                if self.machine.threads.len() > 1 && self.machine.thread().atomic == 0 {
                    self.schedule(None)?;
                    return self.proceed();
                }
                End::Blocked
            }
            LocationKind::Error(property) => End::Violated(property),
            LocationKind::End => End::Ended,
            LocationKind::Unsupported(what) => End::Unsupported(what.to_string()),
        })
    }
}
