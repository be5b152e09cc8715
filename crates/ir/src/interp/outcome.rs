//! How a run ends, and what may be spent on it.

use super::choices::ChoiceError;
use crate::{EdgeId, LocId, ProcId, Program, PropertyId};
use source::Place;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use term::{Term, Value};

/// Why a run stopped.
#[derive(Clone, PartialEq, Debug)]
pub enum End {
    /// The entry procedure reached its exit: its results, memories left out, for they are no values.
    Finished(Vec<(Term, Value)>),
    /// The program ended itself: `exit`, `abort`.
    Ended,
    Violated(PropertyId),
    /// No thread can go on: no such execution exists, or it waits for ever.
    Blocked,
    /// What the program did has no meaning in its source language.
    Undefined(String),
    /// The run came to something that cannot be executed.
    Unsupported(String),
    Limit(Limit),
    /// The choices were not of this program, or were too few.
    Choices(ChoiceError),
    /// A bug of the interpreter or of a host.
    Internal(String),
}

/// What was used up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    Steps,
    Memory,
    CallDepth,
    Threads,
    Time,
    Cancelled,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Steps => "too many steps",
            Limit::Memory => "too much memory",
            Limit::CallDepth => "too many nested calls",
            Limit::Threads => "too many threads",
            Limit::Time => "out of time",
            Limit::Cancelled => "cancelled",
        })
    }
}

/// What may be spent on a run.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Edges that are executed one by one: rounds of loops that are skipped do not count.
    pub steps: u64,
    /// Bytes of objects, arrays and variables.
    pub memory: u64,
    pub call_depth: usize,
    /// Threads that live at once.
    pub threads: usize,
    pub deadline: Option<Instant>,
    /// Stops the run soon after it becomes true.
    pub cancel: Option<Arc<AtomicBool>>,
    /// No rounds of loops are skipped.
    pub one_by_one: bool,
    /// Objects have room behind their ends, which the program can write to, and where it can read what it wrote.
    pub room: bool,
}

impl Limits {
    /// How many edges a check executes one by one; longer executions it checks as they were found, with rounds skipped.
    pub const CHECKED_ONE_BY_ONE: u64 = 20_000_000;

    /// What the check of an execution of so many edges may spend.
    pub fn to_check(edges: u64) -> Limits {
        let one_by_one = edges <= Limits::CHECKED_ONE_BY_ONE;
        Limits { steps: edges.saturating_add(1), one_by_one, ..Limits::default() }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            steps: u64::MAX,
            memory: 1 << 30,
            call_depth: 100_000,
            threads: 1000,
            deadline: None,
            cancel: None,
            one_by_one: false,
            room: false,
        }
    }
}

/// A procedure that is being executed, and where it is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Frame {
    pub procedure: ProcId,
    pub location: LocId,
    /// The edge that is being taken, where one has begun: a call, say.
    pub edge: Option<EdgeId>,
}

impl Frame {
    /// Where this is in the source.
    pub fn place(&self, program: &Program) -> Option<Place> {
        let cfa = program.procedure(self.procedure).body.as_ref().ok()?;
        self.edge.and_then(|edge| cfa.edge(edge).place).or(cfa.location(self.location).place)
    }
}

/// What a run did.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    pub end: End,
    /// Where in the source it ended.
    pub place: Option<Place>,
    /// The thread that executed last.
    pub thread: u32,
    /// Its calls, the innermost first.
    pub stack: Vec<Frame>,
    /// Axioms, by number, that could not be evaluated: whether the run respects them is not known.
    pub unchecked_axioms: Vec<usize>,
    /// The first access behind an object's end, if there was [`Limits::room`] for it.
    pub beyond: Option<String>,
    pub statistics: Statistics,
}

/// Figures of a run.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Statistics {
    /// Edges executed.
    pub steps: u64,
    /// How many of them were not executed one by one, but skipped with rounds of loops.
    pub skipped: u64,
    pub calls: u64,
    pub threads: u64,
    /// Choices asked for.
    pub choices: u64,
    /// The most bytes that objects of memory took at one time.
    pub object_bytes: u64,
    pub deepest_stack: usize,
}

/// Why execution cannot go on: what makes an [`End`] other than reaching a location.
#[derive(Clone, PartialEq, Debug)]
pub enum Trap {
    Blocked,
    Undefined(String),
    Unsupported(String),
    Limit(Limit),
    Choices(ChoiceError),
    Internal(String),
}

impl From<Trap> for End {
    fn from(trap: Trap) -> End {
        match trap {
            Trap::Blocked => End::Blocked,
            Trap::Undefined(what) => End::Undefined(what),
            Trap::Unsupported(what) => End::Unsupported(what),
            Trap::Limit(limit) => End::Limit(limit),
            Trap::Choices(error) => End::Choices(error),
            Trap::Internal(what) => End::Internal(what),
        }
    }
}

impl From<ChoiceError> for Trap {
    fn from(error: ChoiceError) -> Trap {
        Trap::Choices(error)
    }
}
