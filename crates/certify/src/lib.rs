//! Checks of verdicts, independent of the engines that gave them.
//!
//! A proof is checked by queries of its own making to a solver; nothing here is shared with an engine but terms and
//! programs. What cannot be confirmed is rejected with the reason.
//!
//! Invariant: `Ok` is only returned when every condition of the proof was shown to hold. The crate imports no engine and no
//! pass.

mod abstracted;
mod bounds;
mod cases;
mod crowds;
mod edges;
mod enclosure;
mod encode;
mod executed;
mod folds;
mod inlined;
mod invariants;
mod procedures;
mod ranges;
mod shapes;
mod shared;
mod threads;
mod unwound;

pub use executed::check as check_execution;
pub use invariants::{Rejected, check_invariants, check_proof};
