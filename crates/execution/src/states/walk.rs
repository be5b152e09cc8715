//! An execution of the search: first by choices that were made before, then through states that are new or have inputs left.

use super::book::Book;
use super::watch::Pending;
use crate::policy::{Decider, Policy};
use ir::interp::{At, Choice, ChoiceError, Choices, Chosen, Recorded, Recording};
use ir::{EdgeId, ProcId, Variable};
use std::cell::{Cell, RefCell};
use term::{Function, Value};

/// How many states in a row may have no inputs left: little or much, in turns, since equal numbers need not be equal states.
const PATIENCE: [u32; 4] = [8, 8, 50, 500];
/// How many states an execution visits at most.
const LENGTH: u32 = 1_000;

/// What the parts of an execution tell each other.
#[derive(Default, Debug)]
pub struct Desk {
    /// What is known of the question that comes next.
    pub pending: Cell<Pending>,
    /// The answer to it.
    input: RefCell<Option<Value>>,
}

/// The choices of an execution.
pub struct Walk<'s, 'p> {
    book: &'s mut Book<'p>,
    script: Recorded,
    /// Makes all choices behind the script, and keeps them.
    free: Recording<Told<'s, 'p>>,
    desk: &'s Desk,
    /// How many states there were behind the script, and how many of the last ones had no inputs left.
    visited: u32,
    stale: u32,
    patience: u32,
}

impl<'s, 'p> Walk<'s, 'p> {
    pub fn new(book: &'s mut Book<'p>, script: Vec<Choice>, desk: &'s Desk, policy: Policy) -> Walk<'s, 'p> {
        let patience = *book.random.pick(&PATIENCE);
        let free = Recording::new(Told { policy: policy.choices(book.constants), desk });
        Walk { book, script: Recorded::new(script), free, desk, visited: 0, stale: 0, patience }
    }

    /// What was chosen behind the script.
    pub fn made(self) -> Vec<Choice> {
        self.free.into_choices()
    }

    /// Who answers a question.
    fn source(&mut self) -> &mut dyn Choices {
        if self.script.remaining() > 0 { &mut self.script } else { &mut self.free }
    }

    /// Decides on the input that a variable gets, if the state is one of the search.
    fn decide(&mut self, variable: &Variable) -> Chosen<()> {
        let Pending { state: Some(number), way } = self.desk.pending.take() else { return Ok(()) };
        if self.script.remaining() > 0 {
            return Ok(());
        }
        let (input, is_stale) = self.book.visit(number, way, self.free.choices().len(), variable);
        self.visited += 1;
        self.stale = if is_stale { self.stale + 1 } else { 0 };
        *self.desk.input.borrow_mut() = input;
        if self.stale > self.patience || self.visited > LENGTH { Err(ChoiceError::Exhausted) } else { Ok(()) }
    }
}

impl Choices for Walk<'_, '_> {
    fn initial(&mut self, variable: &Variable, at: &At) -> Chosen<Value> {
        self.source().initial(variable, at)
    }

    fn havoc(&mut self, variable: &Variable, at: &At) -> Chosen<Value> {
        self.decide(variable)?;
        self.source().havoc(variable, at)
    }

    fn result(&mut self, procedure: ProcId, result: &Variable, at: &At) -> Chosen<Value> {
        self.decide(result)?;
        self.source().result(procedure, result, at)
    }

    fn branch(&mut self, edges: &[EdgeId], at: &At) -> Chosen<usize> {
        self.source().branch(edges, at)
    }

    fn schedule(&mut self, runnable: &[u32], at: &At) -> Chosen<usize> {
        self.source().schedule(runnable, at)
    }

    fn bytes(&mut self, object: u32, offset: u64, bytes: &mut [u8]) -> Chosen<()> {
        self.source().bytes(object, offset, bytes)
    }

    fn pointer(&mut self, object: u32, offset: u64, width: u32) -> Chosen<Option<Value>> {
        self.source().pointer(object, offset, width)
    }

    fn address(&mut self, object: u32, size: u64, suggested: u64) -> Chosen<u64> {
        self.source().address(object, size, suggested)
    }

    fn apply(&mut self, function: &Function, arguments: &[Value]) -> Chosen<Value> {
        self.source().apply(function, arguments)
    }
}

/// A policy, except for inputs that were decided on.
struct Told<'s, 'p> {
    policy: Decider<'p>,
    desk: &'s Desk,
}

impl Choices for Told<'_, '_> {
    fn initial(&mut self, variable: &Variable, at: &At) -> Chosen<Value> {
        self.policy.initial(variable, at)
    }

    fn havoc(&mut self, variable: &Variable, at: &At) -> Chosen<Value> {
        match self.desk.input.take() {
            Some(input) => Ok(input),
            None => self.policy.havoc(variable, at),
        }
    }

    fn result(&mut self, procedure: ProcId, result: &Variable, at: &At) -> Chosen<Value> {
        match self.desk.input.take() {
            Some(input) => Ok(input),
            None => self.policy.result(procedure, result, at),
        }
    }

    fn branch(&mut self, edges: &[EdgeId], at: &At) -> Chosen<usize> {
        self.policy.branch(edges, at)
    }

    fn schedule(&mut self, runnable: &[u32], at: &At) -> Chosen<usize> {
        self.policy.schedule(runnable, at)
    }

    fn bytes(&mut self, object: u32, offset: u64, bytes: &mut [u8]) -> Chosen<()> {
        self.policy.bytes(object, offset, bytes)
    }

    fn pointer(&mut self, object: u32, offset: u64, width: u32) -> Chosen<Option<Value>> {
        self.policy.pointer(object, offset, width)
    }

    fn address(&mut self, object: u32, size: u64, suggested: u64) -> Chosen<u64> {
        self.policy.address(object, size, suggested)
    }

    fn apply(&mut self, function: &Function, arguments: &[Value]) -> Chosen<Value> {
        self.policy.apply(function, arguments)
    }
}
