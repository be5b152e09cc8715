//! Symbolic states: explicit program counters, symbolic data (Definition 3).
//!
//! | paper | here |
//! |---|---|
//! | σ = ⟨i, ω, γ⟩ | [`State`] |
//! | i, the program counters | [`Control`] |
//! | ω, the values of the variables | [`State::shared`] and the `own` of its threads |
//! | γ, the guard | [`State::guard`] |
//! | ι, the choice variables | inputs of the and-inverter graph |
//!
//! Invariants: a state that is waiting to be explored has a satisfiable guard; variables that are not active are constantly false,
//! so that states which differ only in them are equal; threads that are over are gone.

use engine::Region;
use ir::{EdgeId, LocId, ProcId};
use solver::aig::Wire;
use std::rc::Rc;

/// The program counters, and which thread is in an atomic section, and how deep.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Control {
    pub threads: Vec<(ProcId, LocId)>,
    pub atomic: Option<(usize, u32)>,
}

#[derive(Clone, Debug)]
pub struct State {
    pub control: Rc<Control>,
    pub shared: Vec<Wire>,
    pub threads: Vec<Thread>,
    pub guard: Wire,
    /// How many threads were started before.
    pub started: u32,
}

#[derive(Clone, Debug)]
pub struct Thread {
    /// The thread's number in an execution.
    pub number: u32,
    pub own: Vec<Wire>,
}

impl State {
    /// The values of all variables, in an order that states with the same program counters share.
    pub fn values(&self) -> Vec<Wire> {
        self.shared.iter().chain(self.threads.iter().flat_map(|thread| &thread.own)).copied().collect()
    }

    /// The same, to be changed.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Wire> {
        self.shared.iter_mut().chain(self.threads.iter_mut().flat_map(|thread| &mut thread.own))
    }
}

/// A state that was explored: its index in [`crate::search::Search::explored`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct StateId(pub usize);

/// How a state came about.
#[derive(Clone, Debug)]
pub struct Origin {
    pub parent: StateId,
    /// The number of the thread that moved, and its index among the parent's threads.
    pub number: u32,
    pub thread: usize,
    pub procedure: ProcId,
    pub edge: EdgeId,
    /// From which of the parent's explicit states.
    pub region: Region,
}
