//! The loop that executes instructions.

use super::arrays::{Boxed, Unstored};
use super::code::{Code, Exit};
use super::instr::Instr;
use super::machine::Machine;
use super::memory::Pointer;
use super::outcome::Trap;
use super::word;
use crate::ProcId;
use term::bits;

/// Why the loop stopped.
#[derive(Debug)]
pub(super) enum Pause {
    /// As many edges were executed as were allowed for now.
    Checkpoint,
    /// A procedure is called that has not been compiled yet.
    Compile(ProcId),
    /// The running thread has ended; it was not the first.
    ThreadEnded,
    /// The first thread has reached the exit of the entry procedure.
    Finished,
    /// The location decides.
    Stopped,
    /// The answer of code that only asks.
    Answer(bool),
}

impl Machine<'_> {
    /// Executes until something else is to be looked after. `OBSERVED` says whether there is an observer.
    pub fn execute<const OBSERVED: bool>(&mut self, code: &Code) -> Result<Pause, Trap> {
        let instrs = &code.instrs[..];
        let mut pc = self.pc;
        let mut base = self.base;

        macro_rules! slot {
            ($reg:expr) => {
                self.regs[$reg.index(base)]
            };
        }
        macro_rules! word {
            ($reg:expr) => {
                slot!($reg) as u64
            };
        }
        macro_rules! set {
            ($reg:expr, $value:expr) => {{
                let value: u128 = $value.into();
                self.regs[$reg.index(base)] = value;
            }};
        }
        macro_rules! boxed {
            ($reg:expr) => {
                self.boxes[$reg.index(self.box_base)]
            };
        }
        // Leaves the loop; the current instruction is where the run is.
        macro_rules! pause {
            ($pause:expr) => {{
                self.pc = pc - 1;
                return $pause;
            }};
        }
        macro_rules! attempt {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(trap) => pause!(Err(trap)),
                }
            };
        }
        // Calls a method of the machine that may look at `pc` and move the registers.
        macro_rules! slowly {
            ($call:expr) => {{
                self.pc = pc - 1;
                let result = attempt!($call);
                base = self.base;
                result
            }};
        }
        macro_rules! finish_edge {
            ($edge:expr, $to:expr) => {{
                self.steps += 1;
                if OBSERVED {
                    self.pc = pc - 1;
                    self.observe_edge(code, $edge);
                }
                pc = $to;
                if self.steps >= self.checkpoint {
                    self.pc = pc;
                    return Ok(Pause::Checkpoint);
                }
            }};
        }
        macro_rules! branch {
            ($condition:expr, $exits:expr) => {{
                let Exit { edge, to } = code.exits[$exits as usize + usize::from(!$condition)];
                finish_edge!(edge, to)
            }};
        }

        loop {
            let instr = instrs[pc as usize];
            pc += 1;
            match instr {
                Instr::Const { d, k } => set!(d, code.constants[k as usize]),
                Instr::BoxedConst { d, k } => boxed!(d) = code.boxed_constants[k as usize].clone(),
                Instr::Move { d, a } => set!(d, slot!(a)),
                Instr::MoveIf { d, c, a } => {
                    let value = if slot!(c) != 0 { slot!(a) } else { slot!(d) };
                    set!(d, value)
                }

                Instr::Add { w, d, a, b } => set!(d, word!(a).wrapping_add(word!(b)) & word::mask(w)),
                Instr::Sub { w, d, a, b } => set!(d, word!(a).wrapping_sub(word!(b)) & word::mask(w)),
                Instr::Mul { w, d, a, b } => set!(d, word!(a).wrapping_mul(word!(b)) & word::mask(w)),
                Instr::Neg { w, d, a } => set!(d, word!(a).wrapping_neg() & word::mask(w)),
                Instr::Not { w, d, a } => set!(d, !word!(a) & word::mask(w)),
                Instr::Udiv { w, d, a, b } => set!(d, word::udiv(w, word!(a), word!(b))),
                Instr::Sdiv { w, d, a, b } => set!(d, word::sdiv(w, word!(a), word!(b))),
                Instr::Urem { d, a, b } => set!(d, word::urem(word!(a), word!(b))),
                Instr::Srem { w, d, a, b } => set!(d, word::srem(w, word!(a), word!(b))),
                Instr::Shl { w, d, a, b } => set!(d, word::shl(w, word!(a), word!(b))),
                Instr::Lshr { w, d, a, b } => set!(d, word::lshr(w, word!(a), word!(b))),
                Instr::Ashr { w, d, a, b } => set!(d, word::ashr(w, word!(a), word!(b))),
                Instr::Slt { w, d, a, b } => set!(d, word::signed(w, word!(a)) < word::signed(w, word!(b))),
                Instr::Sle { w, d, a, b } => set!(d, word::signed(w, word!(a)) <= word::signed(w, word!(b))),

                Instr::And { d, a, b } => set!(d, slot!(a) & slot!(b)),
                Instr::Or { d, a, b } => set!(d, slot!(a) | slot!(b)),
                Instr::Xor { d, a, b } => set!(d, slot!(a) ^ slot!(b)),
                Instr::Eq { d, a, b } => set!(d, slot!(a) == slot!(b)),
                Instr::Ult { d, a, b } => set!(d, slot!(a) < slot!(b)),
                Instr::Ule { d, a, b } => set!(d, slot!(a) <= slot!(b)),
                Instr::Extract { low, w, d, a } => set!(d, slot!(a) >> low & bits::mask(w.into())),
                Instr::SignExtend { from, to, d, a } => {
                    set!(d, bits::sign_extend(from.into(), to.into(), slot!(a)))
                }
                Instr::Concat { low, d, a, b } => set!(d, slot!(a) << low | slot!(b)),
                Instr::Wide { op, w, d, a, b } => set!(d, word::wide(op, w, slot!(a), slot!(b))),

                Instr::Pointer { d, object, offset } => set!(d, slot!(object) << 64 | slot!(offset)),
                Instr::PointerObject { d, a } => set!(d, slot!(a) >> 64),
                Instr::PointerOffset { d, a } => set!(d, word!(a)),
                Instr::PointerAdd { w, d, a, b } => {
                    let pointer = slot!(a);
                    let offset = (pointer as u64).wrapping_add(word!(b)) & word::mask(w);
                    set!(d, pointer >> 64 << 64 | u128::from(offset))
                }

                Instr::Single { op, w, d, a, b } => set!(d, word::single(op, w, word!(a), word!(b))),
                Instr::Double { op, w, d, a, b } => set!(d, word::double(op, w, word!(a), word!(b))),

                Instr::Apply { k } => slowly!(self.apply(&code.applications[k as usize])),
                Instr::Evaluate { k } => slowly!(self.evaluate(&code.evaluations[k as usize])),

                Instr::Copy { d, a } => boxed!(d) = boxed!(a).clone(),
                Instr::Take { d, a } => boxed!(d) = std::mem::take(&mut boxed!(a)),
                Instr::Drop { a } => boxed!(a) = Default::default(),
                Instr::Everywhere { d, a, k } => {
                    boxed!(d) = Boxed::everywhere(code.sorts[k as usize], slot!(a));
                }
                Instr::Select { d, array, index } => {
                    let index = slot!(index);
                    match attempt!(boxed!(array).array()).get(index) {
                        Ok(element) => set!(d, element),
                        Err(Unstored) => {
                            let address = attempt!(self.facts.initial_address(&self.boxes, index as u32));
                            set!(d, address)
                        }
                    }
                }
                Instr::Store { array, index, a } => {
                    let (index, element) = (slot!(index), slot!(a));
                    attempt!(boxed!(array).array_mut()).set(index, element);
                }
                Instr::StoreAlive { array, index, a } => {
                    let (index, lives) = (slot!(index), slot!(a));
                    attempt!(boxed!(array).array_mut()).set(index, lives);
                    if lives == 0 {
                        self.memory.release(index as u32);
                    }
                }
                Instr::StoreValue { array, k } => slowly!(self.store_value(array, &code.applications[k as usize])),

                Instr::Load { n, d, at } => {
                    let at = Pointer::from_slot(slot!(at));
                    attempt!(self.facts.reach(&self.boxes, at, n.into()));
                    match self.memory.load_word(at, n.into()) {
                        Some(word) => set!(d, word),
                        None => {
                            let value = attempt!(self.load(at, n.into()));
                            set!(d, value)
                        }
                    }
                }
                Instr::LoadPointer { d, at } => {
                    let pointer = attempt!(self.load_pointer(Pointer::from_slot(slot!(at))));
                    set!(d, pointer.slot())
                }
                Instr::MemStore { n, at, a } => {
                    let (at, value) = (Pointer::from_slot(slot!(at)), slot!(a));
                    attempt!(self.facts.store(&mut self.memory, &self.boxes, at, n.into(), value));
                }
                Instr::MemStorePointer { at, a } => {
                    let (at, pointer) = (Pointer::from_slot(slot!(at)), Pointer::from_slot(slot!(a)));
                    attempt!(self.facts.store_pointer(&mut self.memory, &self.boxes, at, pointer));
                }
                Instr::MemCopy { at, from, n } => {
                    let (to, from) = (Pointer::from_slot(slot!(at)), Pointer::from_slot(slot!(from)));
                    attempt!(self.facts.copy(&mut self.memory, &self.boxes, to, from, word!(n)));
                }
                Instr::MemFill { at, byte, n } => {
                    let (to, byte) = (Pointer::from_slot(slot!(at)), slot!(byte) as u8);
                    attempt!(self.facts.fill(&mut self.memory, &self.boxes, to, byte, word!(n)));
                }
                Instr::OnMemory { memory, k } => slowly!(self.on_memory(memory, &code.applications[k as usize])),
                Instr::Snapshot { d } => boxed!(d) = self.snapshot(),
                Instr::Restore { a } => {
                    let memory = std::mem::take(&mut boxed!(a));
                    attempt!(self.restore(memory));
                }

                Instr::Jump { to } => pc = to,
                Instr::JumpIf { c, to } => {
                    if slot!(c) != 0 {
                        pc = to;
                    }
                }
                Instr::JumpUnless { c, to } => {
                    if slot!(c) == 0 {
                        pc = to;
                    }
                }
                Instr::Force { flag, to } => {
                    if slot!(flag) == 0 {
                        self.returns.push(pc);
                        pc = to;
                    }
                }
                Instr::Back => match self.returns.pop() {
                    Some(to) => pc = to,
                    None => pause!(Err(Trap::Internal("there is nowhere to go back to".into()))),
                },
                Instr::Answer { c } => return Ok(Pause::Answer(slot!(c) != 0)),

                Instr::Done { edge, to } => finish_edge!(edge, to),
                Instr::Guard { c } => {
                    if slot!(c) == 0 {
                        pause!(Err(Trap::Blocked));
                    }
                }
                Instr::Branch { c, exits } => branch!(slot!(c) != 0, exits),
                Instr::BranchEq { a, b, exits } => branch!(slot!(a) == slot!(b), exits),
                Instr::BranchUlt { a, b, exits } => branch!(slot!(a) < slot!(b), exits),
                Instr::BranchUle { a, b, exits } => branch!(slot!(a) <= slot!(b), exits),
                Instr::BranchSlt { w, a, b, exits } => {
                    branch!(word::signed(w, word!(a)) < word::signed(w, word!(b)), exits)
                }
                Instr::BranchSle { w, a, b, exits } => {
                    branch!(word::signed(w, word!(a)) <= word::signed(w, word!(b)), exits)
                }
                Instr::Switch { a, k } => {
                    let switch = &code.switches[k as usize];
                    match switch.cases.get(&slot!(a)).or(switch.other.as_ref()) {
                        Some(&Exit { edge, to }) => finish_edge!(edge, to),
                        None => pause!(Err(Trap::Blocked)),
                    }
                }
                Instr::Choose { k } => {
                    let chosen = slowly!(self.choose(code, &code.choices[k as usize]));
                    if chosen.has_code {
                        pc = chosen.exit.to;
                    } else {
                        finish_edge!(chosen.exit.edge, chosen.exit.to)
                    }
                }
                Instr::Havoc { k } => slowly!(self.havoc(code, &code.havocs[k as usize])),

                Instr::Call { k } => {
                    let site = &code.calls[k as usize];
                    let exit = site.exit;
                    match &code.bodies[site.callee.0 as usize] {
                        Some(body) => {
                            self.steps += 1;
                            if OBSERVED {
                                self.pc = pc - 1;
                                self.observe_edge(code, exit.edge);
                            }
                            slowly!(self.enter(code, k, body));
                            pc = self.pc;
                            if OBSERVED {
                                self.observe_enter(code);
                            }
                            if self.steps >= self.checkpoint {
                                return Ok(Pause::Checkpoint);
                            }
                        }
                        None if self.program.procedure(site.callee).body.is_ok() => {
                            pause!(Ok(Pause::Compile(site.callee)))
                        }
                        None => {
                            slowly!(self.call_host(code, site));
                            finish_edge!(exit.edge, exit.to)
                        }
                    }
                }
                Instr::Spawn { k } => {
                    let site = &code.calls[k as usize];
                    match &code.bodies[site.callee.0 as usize] {
                        None if self.program.procedure(site.callee).body.is_ok() => {
                            pause!(Ok(Pause::Compile(site.callee)))
                        }
                        body => slowly!(self.spawn(code, site, body.as_ref())),
                    }
                }
                Instr::AtomicBegin => self.thread_mut().atomic += 1,
                Instr::AtomicEnd => self.leave_atomic(),

                Instr::Return => {
                    self.pc = pc - 1;
                    if self.thread().frames.len() == 1 {
                        return Ok(if self.thread().id == 0 { Pause::Finished } else { Pause::ThreadEnded });
                    }
                    slowly!(self.leave::<OBSERVED>(code));
                    pc = self.pc;
                    if self.steps >= self.checkpoint {
                        return Ok(Pause::Checkpoint);
                    }
                }
                Instr::Stop => pause!(Ok(Pause::Stopped)),
            }
        }
    }

    #[cold]
    fn load(&mut self, at: Pointer, n: usize) -> Result<u128, Trap> {
        self.memory.fix_unwritten(at, n, &mut self.facts.asking(&self.boxes))?;
        self.facts.load(&self.memory, &self.boxes, at, n)
    }

    fn load_pointer(&mut self, at: Pointer) -> Result<Pointer, Trap> {
        let n = self.facts.pointer_bytes();
        self.facts.reach(&self.boxes, at, n as u64)?;
        if self.memory.load_pointer(at).is_none() {
            self.memory.fix_unwritten_pointers(at, n, &mut self.facts.asking(&self.boxes))?;
        }
        self.facts.load_pointer(&self.memory, &self.boxes, at)
    }
}
