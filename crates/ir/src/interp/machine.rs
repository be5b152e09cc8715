//! The state of a run: registers, frames, threads, and the start of it all.

use super::arrays::{Boxed, SlotArray};
use super::choices::{At, ChoiceError};
use super::code::{Body, Code, Operand, Origin, Pc};
use super::facts::Facts;
use super::host::Host;
use super::layout::{CONSTANTS, Home, Layout, decode, encode, in_slot};
use super::memory::Memory;
use super::observe::{Observer, State};
use super::outcome::{Frame, Limit, Limits, Statistics, Trap};
use crate::{EdgeId, ProcId, Program, Variable};
use std::rc::Rc;
use term::{Sort, SortKind, Term, Value};

/// A procedure that is being executed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Activation {
    pub procedure: ProcId,
    /// Where its registers start, counted from the start of the thread's.
    pub base: usize,
    pub box_base: usize,
    /// Where the caller goes on, and the call; meaningless for the first of a thread.
    pub return_to: Pc,
    pub site: u32,
}

/// A part of the registers that belongs to one thread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub start: usize,
    capacity: usize,
}

impl Segment {
    /// An empty segment behind all registers.
    pub fn at_end<T>(registers: &[T]) -> Segment {
        Segment { start: registers.len(), capacity: 0 }
    }

    /// Sees to it that the segment has room for `needed` registers; moves it if it must.
    fn ensure<T: Default>(&mut self, registers: &mut Vec<T>, needed: usize) {
        if needed <= self.capacity {
            return;
        }
        let capacity = needed.next_power_of_two().max(64);
        if self.start + self.capacity != registers.len() {
            let start = registers.len();
            for i in self.start..self.start + self.capacity {
                let register = std::mem::take(&mut registers[i]);
                registers.push(register);
            }
            self.start = start;
        }
        registers.resize_with(self.start + capacity, T::default);
        self.capacity = capacity;
    }

    /// Empties the registers.
    pub fn clear<T: Default>(&self, registers: &mut [T]) {
        registers[self.start..self.start + self.capacity].fill_with(T::default);
    }
}

/// A thread.
#[derive(Debug)]
pub(super) struct Thread {
    pub id: u32,
    /// What it executes next, while it is not running.
    pub pc: Pc,
    pub frames: Vec<Activation>,
    /// How many atomic sections it is in.
    pub atomic: u32,
    pub slots: Segment,
    pub boxes: Segment,
    /// Its own copies of thread-local globals, while it is not running.
    pub local: Vec<Content>,
}

/// What a variable holds.
#[derive(Clone, Debug)]
pub(super) enum Content {
    Slot(u128),
    Boxed(Boxed),
}

impl Content {
    pub fn new(value: Value) -> Content {
        match encode(&value) {
            Some(slot) => Content::Slot(slot),
            None => Content::Boxed(Boxed::new(value)),
        }
    }
}

/// The state of a run.
pub(super) struct Machine<'r> {
    pub program: &'r Program,
    pub layout: &'r Layout,
    pub limits: &'r Limits,
    pub host: &'r mut dyn Host,
    pub observer: Option<&'r mut dyn Observer>,
    /// Globals, constants, and then the threads' segments.
    pub regs: Vec<u128>,
    pub boxes: Vec<Boxed>,
    /// Where the running procedure's registers start.
    pub base: usize,
    pub box_base: usize,
    /// What is executed next, or was when the run stopped.
    pub pc: Pc,
    /// Where forced thunks go on.
    pub returns: Vec<Pc>,
    pub memory: Memory,
    pub facts: Facts<'r>,
    pub threads: Vec<Thread>,
    pub current: usize,
    pub threads_started: u32,
    /// Parts of the registers whose threads have ended.
    pub vacant_segments: Vec<(Segment, Segment)>,
    /// Edges executed, and how many until something else is to be looked after.
    pub steps: u64,
    pub checkpoint: u64,
    pub unchecked_axioms: Vec<usize>,
    pub statistics: Statistics,
}

impl<'r> Machine<'r> {
    pub fn new(
        program: &'r Program,
        layout: &'r Layout,
        limits: &'r Limits,
        mut facts: Facts<'r>,
        host: &'r mut dyn Host,
        observer: Option<&'r mut dyn Observer>,
    ) -> Machine<'r> {
        let memory = facts.new_memory();
        Machine {
            program,
            layout,
            limits,
            host,
            observer,
            regs: vec![0; (layout.globals.slots + CONSTANTS) as usize],
            boxes: vec![Boxed::Empty; (layout.globals.boxes + CONSTANTS) as usize],
            base: 0,
            box_base: 0,
            pc: 0,
            returns: Vec::new(),
            memory,
            facts,
            threads: Vec::new(),
            current: 0,
            threads_started: 0,
            vacant_segments: Vec::new(),
            steps: 0,
            checkpoint: 0,
            unchecked_axioms: Vec::new(),
            statistics: Statistics::default(),
        }
    }

    pub fn thread(&self) -> &Thread {
        &self.threads[self.current]
    }

    pub fn thread_mut(&mut self) -> &mut Thread {
        &mut self.threads[self.current]
    }

    /// Puts the constants of newly compiled code where it expects them.
    pub fn load_constants(&mut self, code: &Code) {
        let room = CONSTANTS as usize;
        let slots = &code.constants[..code.constants.len().min(room)];
        let start = self.layout.globals.slots as usize;
        self.regs[start..start + slots.len()].copy_from_slice(slots);
        let boxes = &code.boxed_constants[..code.boxed_constants.len().min(room)];
        let start = self.layout.globals.boxes as usize;
        self.boxes[start..start + boxes.len()].clone_from_slice(boxes);
    }

    /// The procedure that is running.
    pub fn body<'c>(&self, code: &'c Code) -> Result<&'c Body, Trap> {
        let procedure = self.thread().frames.last().map(|frame| frame.procedure);
        let body = procedure.and_then(|p| code.bodies.get(p.0 as usize)?.as_ref());
        body.ok_or_else(|| Trap::Internal("no procedure is running".into()))
    }

    /// Where the run is, for choices and observers.
    pub fn at(&self, code: &Code, pc: Pc) -> At {
        let procedure = self.thread().frames.last().map_or(self.program.entry, |frame| frame.procedure);
        let origin = self.body(code).map(|body| body.origin(pc)).ok();
        let Origin { location, edge } = origin.unwrap_or(Origin { location: crate::LocId(0), edge: None });
        At { thread: self.thread().id, procedure, location, edge, step: self.steps }
    }

    /// The calls of the running thread, the innermost first.
    pub fn stack(&self, code: &Code) -> Vec<Frame> {
        let Some(thread) = self.threads.get(self.current) else { return Vec::new() };
        let mut stack = Vec::new();
        // A caller is inside of the edge that calls.
        let mut calling = None;
        for Activation { procedure, site, .. } in thread.frames.iter().rev() {
            let body = (&code.bodies[procedure.0 as usize], &self.program.procedure(*procedure).body);
            if let (Some(body), Ok(cfa)) = body {
                let Origin { location, edge } = match calling {
                    Some(edge) => Origin { location: cfa.edge(edge).from, edge: Some(edge) },
                    None => body.origin(self.pc),
                };
                stack.push(Frame { procedure: *procedure, location, edge });
            }
            calling = code.calls.get(*site as usize).map(|call| call.exit.edge);
        }
        stack
    }

    /// Makes room for a frame of the running thread.
    pub fn reserve(&mut self, slots: usize, boxes: usize) -> Result<(), Trap> {
        let used = 16 * self.regs.len() as u64 + 32 * self.boxes.len() as u64;
        if used > self.limits.memory {
            return Err(Trap::Limit(Limit::Memory));
        }
        let thread = &mut self.threads[self.current];
        thread.slots.ensure(&mut self.regs, slots);
        thread.boxes.ensure(&mut self.boxes, boxes);
        Ok(())
    }

    /// About how many bytes the program's variables and memory and the choices made so far take, and the largest of the variables.
    pub fn held(&self) -> (u64, u64) {
        let local = self.threads.iter().flat_map(|thread| &thread.local).filter_map(|content| match content {
            Content::Boxed(boxed) => Some(boxed),
            Content::Slot(_) => None,
        });
        let sizes = self.boxes.iter().chain(local).map(Boxed::bytes);
        let (all, largest) = sizes.fold((0, 0), |(all, largest), size| (all + size, size.max(largest)));
        (all + self.memory.bytes() + 16 * self.regs.len() as u64 + self.facts.chosen, largest)
    }

    /// Finds the registers of the procedure that the running thread executes.
    pub fn find_frame(&mut self) {
        let thread = &self.threads[self.current];
        if let Some(frame) = thread.frames.last() {
            self.base = thread.slots.start + frame.base;
            self.box_base = thread.boxes.start + frame.box_base;
        }
    }

    /// Reads an operand of the running procedure.
    pub fn content(&self, operand: Operand) -> Content {
        match operand.home {
            Home::Slot(reg) => Content::Slot(self.regs[reg.index(self.base)]),
            Home::Boxed(reg) => Content::Boxed(self.boxes[reg.index(self.box_base)].clone()),
            Home::Memory => Content::Boxed(Boxed::Memory(Rc::new(self.memory.clone()))),
        }
    }

    /// Writes to a register of the running procedure, or makes the program's memory another.
    pub fn put(&mut self, home: Home, content: Content) -> Result<(), Trap> {
        match (home, content) {
            (Home::Slot(reg), Content::Slot(slot)) => self.regs[reg.index(self.base)] = slot,
            (Home::Boxed(reg), Content::Boxed(boxed)) => self.boxes[reg.index(self.box_base)] = boxed,
            (Home::Memory, Content::Boxed(Boxed::Memory(memory))) => {
                self.memory = Rc::try_unwrap(memory).unwrap_or_else(|shared| (*shared).clone());
            }
            (home, content) => return Err(Trap::Internal(format!("{content:?} does not fit {home:?}"))),
        }
        Ok(())
    }

    pub fn put_value(&mut self, home: Home, value: Value) -> Result<(), Trap> {
        self.put(home, Content::new(value))
    }

    /// The value of an operand of the running procedure; `None` if it has none, as memories.
    pub fn value(&self, operand: Operand) -> Option<Value> {
        match operand.home {
            Home::Slot(reg) => decode(operand.sort, self.regs[reg.index(self.base)]),
            Home::Boxed(reg) => self.boxes[reg.index(self.box_base)].value(operand.sort),
            Home::Memory => None,
        }
    }

    /// The value of a variable in scope.
    pub fn variable(&self, code: &Code, variable: Term) -> Option<Value> {
        let local = self.body(code).ok().and_then(|body| body.homes.get(&variable));
        let home = *local.or_else(|| self.layout.homes.get(&variable))?;
        self.value(Operand { home, sort: variable.sort() })
    }

    /// An arbitrary value that was chosen; it must fit the variable.
    fn chosen(&mut self, variable: &Variable, value: Value) -> Result<Content, Trap> {
        self.facts.asked += 1;
        self.facts.chosen += size_of::<Value>() as u64 + value.heap_bytes();
        if value.sort() != variable.sort() {
            let wanted = format!("a value of {}, of sort {}", variable.name(), variable.sort());
            return Err(ChoiceError::mismatch(wanted, value).into());
        }
        Ok(Content::new(value))
    }

    pub fn observe_edge(&mut self, code: &Code, edge: EdgeId) {
        let at = At { edge: Some(edge), ..self.at(code, self.pc) };
        self.observe(code, |observer, state| observer.edge(&at, state));
    }

    pub fn observe_enter(&mut self, code: &Code) {
        let procedure = self.thread().frames.last().map(|frame| frame.procedure);
        self.observe(code, |observer, state| procedure.into_iter().for_each(|p| observer.enter(p, state)));
    }

    pub fn observe_leave(&mut self, code: &Code, procedure: ProcId) {
        self.observe(code, |observer, state| observer.leave(procedure, state));
    }

    pub fn observe_switch(&mut self) {
        let thread = self.thread().id;
        if let Some(observer) = &mut self.observer {
            observer.switch(thread);
        }
    }

    fn observe(&mut self, code: &Code, tell: impl FnOnce(&mut dyn Observer, &State)) {
        if let Some(observer) = self.observer.take() {
            tell(observer, &State { machine: self, code });
            self.observer = Some(observer);
        }
    }

    /// What an arbitrary variable of memory sort holds.
    fn any_memory(&mut self) -> Content {
        let memory = self.facts.new_memory();
        self.facts.share(&memory);
        Content::Boxed(Boxed::Memory(Rc::new(memory)))
    }

    /// The first value of a variable.
    pub fn initial(&mut self, variable: &Variable, at: &At) -> Result<Content, Trap> {
        if is_memory(variable.sort()) {
            return Ok(self.any_memory());
        }
        let value = self.facts.choices.initial(variable, at)?;
        self.chosen(variable, value)
    }

    /// The value that a havoc gives.
    pub fn arbitrary(&mut self, variable: &Variable, at: &At) -> Result<Content, Trap> {
        if is_memory(variable.sort()) {
            return Ok(self.any_memory());
        }
        let value = self.facts.choices.havoc(variable, at)?;
        self.chosen(variable, value)
    }

    /// What a procedure without a body returns.
    pub fn result(&mut self, procedure: ProcId, result: &Variable, at: &At) -> Result<Content, Trap> {
        if is_memory(result.sort()) {
            return Ok(self.any_memory());
        }
        let value = self.facts.choices.result(procedure, result, at)?;
        self.chosen(result, value)
    }

    /// A value for a variable that is assigned before it is read.
    pub fn placeholder(&mut self, sort: Sort) -> Content {
        match Value::zero(sort) {
            Some(value) if !in_slot(sort) => Content::Boxed(Boxed::new(value)),
            Some(_) => Content::Slot(0),
            None => self.any_memory(),
        }
    }

    /// The array of the objects' addresses.
    pub fn addresses() -> Content {
        Content::Boxed(Boxed::Array(Rc::new(SlotArray::addresses())))
    }
}

fn is_memory(sort: Sort) -> bool {
    matches!(sort.kind(), SortKind::Memory(_))
}
