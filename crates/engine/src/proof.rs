//! Proofs: why no error location can be reached, in a form that can be checked without the engine that found it.

use crate::shape::Shape;
use ir::{EdgeId, LocId, ProcId, Program};
use term::{Function, Term};

/// Why a program is safe.
#[derive(Clone, PartialEq, Debug)]
pub enum Proof {
    /// Formulas that hold whenever control is at certain locations, of a program whose calls are not recursive. They cut
    /// every cycle of the control flow; from each to the next they are inductive, and none reaches an error location.
    Invariants(Vec<Invariant>),
    /// The same, with formulas that may also apply these functions of maps, which are known by what defines them.
    Folded { folds: Vec<Fold>, reductions: Vec<Reduction>, residues: Vec<Residue>, invariants: Vec<Invariant> },
    /// A search through all interleavings that came to its end, of a program without calls.
    Exploration(Vec<Explored>),
    /// Sets of states that have the initial one, and with a state all that steps make of it; of a program without calls.
    Crowds(Vec<Crowd>),
    /// A Boolean program that can do what the program can, and a search through all its interleavings. The programs have the same
    /// procedures, locations and edges, except that behind these the Boolean program may have more: where values are chosen before
    /// an edge is taken.
    Abstracted {
        program: Box<Program>,
        /// For each Boolean global, what it says of the program's globals.
        predicates: Vec<(Term, Term)>,
        /// For each Boolean local, the Boolean global whose next value is chosen with it.
        choices: Vec<(Term, Term)>,
        exploration: Vec<Explored>,
    },
    /// Bodies in the place of calls, as far as it matters, of a program without loops; the first is that of the entry. A call that
    /// is not named may return anything, change what the procedure can change, and fail if the procedure can, as far as
    /// summaries allow. Even so no error location can be reached.
    Inlined { bodies: Vec<Inlined>, summaries: Vec<Summary> },
    /// Executions of a program without calls, cut where they pass one of these locations, which lie on every cycle. In so many
    /// parts from the entry, none comes to an error location. Then either none goes on, or by induction: no error location
    /// is just so many parts away from any state at any cut. All this where invariants hold, which are inductive by
    /// themselves.
    Unwound { cuts: Vec<LocId>, parts: usize, by_induction: bool, invariants: Vec<Invariant> },
    /// Symbolic memory graphs at locations on every cycle of a program without calls: one covers the initial states, and from each,
    /// executions come only to states that others cover, and to no error location on the way.
    Shapes(Vec<Shape>),
    /// The program as it was loaded leaves nothing open: it has one execution, of so many edges, and it ends without a violation.
    Executed { edges: u64 },
    /// No error location is connected to the entry by edges at all, whatever they do.
    Unconnected,
}

/// A formula that holds at a location.
#[derive(Clone, PartialEq, Debug)]
pub struct Invariant {
    pub procedure: ProcId,
    pub location: LocId,
    pub formula: Term,
}

/// A fold over elements of a map: a function of the map and a number n, which is the sum of `summand` over all counters from `first`
/// up to n, without n; zero if there are none. It is what a loop computes that adds up elements, as a term.
#[derive(Clone, PartialEq, Debug)]
pub struct Fold {
    pub function: Function,
    pub group: Group,
    /// Whether counters have a sign.
    pub signed: bool,
    /// A constant that is not negative.
    pub first: Term,
    /// The variables that stand for the counter and for the element in `place` and `summand`.
    pub counter: Term,
    pub element: Term,
    /// Where in the map the element is, for a counter: a multiple of it, and a constant.
    pub place: Term,
    pub summand: Term,
}

/// What is meant by a sum.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Group {
    /// Addition of integers.
    Addition,
    /// Exclusive or of the bits.
    ExclusiveOr,
}

/// What a commutative reduction makes of a multiset of elements, as a function of the multiset: greatest elements, say. A multiset
/// is told by the sum of the weights of its elements, integers of which nothing is known; different multisets may have
/// different sums.
#[derive(Clone, PartialEq, Debug)]
pub struct Reduction {
    pub function: Function,
    /// The fold of weights: its summand is the weight of the element.
    pub weights: usize,
    /// What is made of the empty multiset: a constant.
    pub start: Term,
    /// What is made of one more element, over `accumulator` and the fold's element. The order of elements must not matter.
    pub accumulator: Term,
    pub body: Term,
}

/// Machine integers as integers, so that sums of them are sums that do not wrap around: `weight` is the integer that a machine integer
/// is, without sign, and `function` takes an integer back, modulo two to the width.
#[derive(Clone, PartialEq, Debug)]
pub struct Residue {
    pub function: Function,
    pub weight: Function,
}

/// A set of states with the same program counters that a search explored: the first is the initial one, any other is what one
/// step made of another. So the sets need not be told, only the steps; where a set is told, it has what the step made.
///
/// Threads count by their places among those that are alive, in the order in which they were started.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Explored {
    /// Sets of threads, in the order in which they count. Where a thread of the first can move, only those of the first moved;
    /// where none can, the second counts, and so on. What they are about to do commutes with all that others may still do.
    pub alone: Vec<Vec<usize>>,
    /// Whether the others moved all the same, where a set could move: then nothing was left out here.
    pub is_complete: bool,
    /// A formula that holds in all of them. From here on they are those in which it holds. Own variables of the n-th thread have the
    /// instance n + 1; what is not mentioned may have any value.
    pub states: Option<Term>,
    pub steps: Vec<Stepped>,
}

/// A step from a set of states.
#[derive(Clone, PartialEq, Debug)]
pub struct Stepped {
    /// The place of the thread that moves.
    pub thread: usize,
    pub edge: EdgeId,
    pub region: Region,
    pub outcome: Outcome,
}

/// From which of the states a step was taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Region {
    /// Where none of the first so many sets of threads can move.
    Outside(usize),
    /// Where the set of this number can move.
    Inside(usize),
}

/// What became of the states after a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// They are the set of this number.
    Explored(usize),
    /// Each is an element of one of the sets of these numbers.
    Subsumed(Vec<usize>),
}

/// States that agree on the values that are named. There is the first thread, the one in an atomic section, if one is, and of
/// the other threads at most so many in each condition. Threads that have ended, or can never move again, do not count.
#[derive(Clone, PartialEq, Debug)]
pub struct Crowd {
    /// What is known of globals that threads share, as [`term::known()`] says it.
    pub shared: Vec<(Term, Term)>,
    pub first: Standing,
    /// Who is in an atomic section, and how deep: the first thread, or another one that does not count below.
    pub holder: Option<(Option<Standing>, u32)>,
    /// How many threads there may be; `None` for any number.
    pub others: Vec<(Standing, Option<u32>)>,
}

/// What is known of a thread.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Standing {
    pub procedure: ProcId,
    pub location: LocId,
    /// What is known of its own variables.
    pub own: Vec<(Term, Term)>,
}

/// A body in the place of a call.
#[derive(Clone, PartialEq, Debug)]
pub struct Inlined {
    pub procedure: ProcId,
    /// Calls of the body, and the number of the body in their place.
    pub calls: Vec<(EdgeId, usize)>,
}

/// What is known of a procedure, if it is known of all procedures that it calls.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    pub procedure: ProcId,
    /// Holds when the procedure returns. Instance 1 of a parameter or global is its value when the procedure was entered.
    pub returned: Term,
    /// Holds, of instance 1 of parameters and globals, when the procedure was entered and fails.
    pub failed: Term,
}
