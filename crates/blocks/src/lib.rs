//! A program of one procedure, cut into large blocks: what engines that unwind automata have in common.
//!
//! [`model::Model`] is the automaton of blocks, [`path::PathFormula`] what a path of blocks means, [`solvers::Solvers`] who
//! answers questions about them, and [`execution::execution`] the way from a solver's model back to single edges.
//!
//! Invariant: nothing here decides anything; no engine is named.

pub mod execution;
pub mod model;
pub mod path;
pub mod solvers;
mod walk;

use engine::Reason;
use solver::Unknown;

/// A solver's reason as an engine's.
pub fn solver_reason(why: Unknown) -> Reason {
    match why {
        Unknown::Timeout => Reason::Timeout,
        Unknown::Memory => Reason::Memory,
        Unknown::Cancelled => Reason::Cancelled,
        why @ Unknown::Incomplete(_) => Reason::NoProgress(why.to_string()),
        Unknown::Unsupported(what) => Reason::NotAttempted(what.to_string()),
    }
}
