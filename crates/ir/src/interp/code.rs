//! The code that procedures are compiled to.
//!
//! One flat list of instructions holds all procedures compiled so far; registers are described in [`super::layout`].
//! Instructions with many parts ([`Instr`]) keep them in tables beside the list. Invariant: a slot never holds more bits than its
//! value has, so zero extension is nothing and equality is one comparison.

use super::arrays::Boxed;
use super::instr::Instr;
use super::layout::{Extent, Home, Reg};
use crate::{EdgeId, LocId, ProcId};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Op, Sort, Term};

/// An instruction's number.
pub(super) type Pc = u32;

/// A way out of a location: the edge, and the code of the location that it leads to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exit {
    pub edge: EdgeId,
    pub to: Pc,
}

/// A register and the sort of what is in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Operand {
    pub home: Home,
    pub sort: Sort,
}

/// An operator applied to values.
#[derive(Clone, Debug)]
pub(super) struct Application {
    pub op: Op,
    pub arguments: Vec<Operand>,
    pub result: Operand,
}

/// A term that is evaluated as it stands, with the variables that occur free in it.
#[derive(Clone, Debug)]
pub(super) struct Evaluation {
    pub term: Term,
    pub free: Vec<(Term, Operand)>,
    pub result: Operand,
}

/// Exits by value.
#[derive(Clone, Debug)]
pub(super) struct Switch {
    pub cases: FxHashMap<u128, Exit>,
    pub other: Option<Exit>,
}

/// The edges of a location.
#[derive(Clone, Debug)]
pub(super) struct Choose {
    pub edges: Vec<Candidate>,
}

/// An edge that may be taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// What must hold, if anything.
    pub guard: Option<Reg>,
    pub exit: Exit,
    /// Whether the exit leads to code that belongs to the edge, rather than to the location behind it.
    pub has_code: bool,
}

/// Variables that take arbitrary values: their index in the declaring list, see [`super::layout::variables`].
#[derive(Clone, Debug)]
pub(super) struct Havoc {
    pub variables: Vec<(Declared, Home)>,
}

/// Which declaration a variable has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Declared {
    Global(usize),
    /// Of the running procedure.
    Local(usize),
}

/// A call, or the start of a thread.
#[derive(Clone, Debug)]
pub(super) struct CallSite {
    pub callee: ProcId,
    pub arguments: Vec<Operand>,
    /// Where the results go, or the number of the new thread.
    pub results: Vec<Operand>,
    /// Temporary boxes to be emptied when the arguments have been passed.
    pub boxes: Vec<Reg>,
    /// The edge, and where the caller goes on.
    pub exit: Exit,
}

/// A procedure that was compiled.
#[derive(Debug)]
pub(super) struct Body {
    pub entry: Pc,
    pub frame: Extent,
    /// How much of the frame its variables take.
    pub variables: Extent,
    pub homes: FxHashMap<Term, Home>,
    pub parameters: Vec<Operand>,
    pub results: Vec<Operand>,
    /// Variables, by number, that get an arbitrary value at first.
    pub arbitrary: Vec<(usize, Home)>,
    /// If a thread may start here: the globals that may be read before the thread assigns them.
    pub globals_read_first: FxHashSet<Term>,
    /// What the code is for, from where on: sorted by number.
    pub origins: Vec<(Pc, Origin)>,
}

/// What a part of the code is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Origin {
    pub location: LocId,
    pub edge: Option<EdgeId>,
}

impl Body {
    /// What the instruction is for.
    pub fn origin(&self, pc: Pc) -> Origin {
        let after = self.origins.partition_point(|(start, _)| *start <= pc);
        self.origins[after.saturating_sub(1)].1
    }
}

/// Whether a thread can leave a location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Probe {
    Always,
    Never,
    /// Execute this to know.
    Ask(Pc),
}

/// All code compiled so far.
#[derive(Default, Debug)]
pub(super) struct Code {
    pub instrs: Vec<Instr>,
    pub constants: Vec<u128>,
    /// Constants that need boxes.
    pub boxed_constants: Vec<Boxed>,
    pub exits: Vec<Exit>,
    pub applications: Vec<Application>,
    pub evaluations: Vec<Evaluation>,
    pub switches: Vec<Switch>,
    pub choices: Vec<Choose>,
    pub havocs: Vec<Havoc>,
    pub calls: Vec<CallSite>,
    pub sorts: Vec<Sort>,
    pub bodies: Vec<Option<Body>>,
    pub probes: FxHashMap<(ProcId, LocId), Probe>,
}
