//! The lift of passes that put equals for equals, where an analysis says what is equal.
//!
//! The analysis is not taken on trust: a proof counts only if what it found was shown to be inductive.

use crate::Lift;
use engine::{Invariant, Proof, Trace};
use ir::{Cfa, LocId, Program};
use term::Term;
use term::build::and;

/// What an analysis said of the program before the pass. Locations, edges and variables stay.
pub struct Presumed {
    program: Program,
    /// At each location: so it can be checked edge by edge.
    presumed: Vec<Invariant>,
}

impl Presumed {
    /// What `formula` says of the locations of the entry procedure.
    pub fn new(program: &Program, cfa: &Cfa, formula: impl Fn(LocId) -> Term) -> Presumed {
        let fact = |location: LocId| Invariant { procedure: program.entry, location, formula: formula(location) };
        Presumed { program: program.clone(), presumed: cfa.locations().map(|(location, _)| fact(location)).collect() }
    }
}

impl Lift for Presumed {
    fn trace(&self, trace: Trace) -> Trace {
        trace
    }

    fn proof(&self, proof: Proof) -> Option<Proof> {
        let Proof::Invariants(invariants) = proof else { return (proof == Proof::Unconnected).then_some(proof) };
        let with_known = |known: Invariant| {
            let formula = and([known.formula, self.presumed[known.location.0 as usize].formula]);
            Invariant { formula, ..known }
        };
        Some(Proof::Invariants(invariants.into_iter().map(with_known).collect()))
    }

    fn presumed(&self) -> Vec<(&Program, &[Invariant])> {
        vec![(&self.program, &self.presumed)]
    }
}
