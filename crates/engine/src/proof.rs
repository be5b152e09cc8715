//! Proofs: why no error location can be reached, in a form that can be checked without the engine that found it.

use ir::{LocId, ProcId};
use term::Term;

/// Why a program is safe.
#[derive(Clone, PartialEq, Debug)]
pub enum Proof {
    /// Formulas that hold whenever control is at certain locations, of a program whose calls are not recursive. They cut
    /// every cycle of the control flow; from each to the next they are inductive, and none reaches an error location.
    Invariants(Vec<Invariant>),
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
