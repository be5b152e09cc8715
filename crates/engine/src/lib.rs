//! What every engine has in common: how it is called, what it may ask of the outside, and how it answers.
//!
//! An engine gets a program and a [`Run`], and gives a [`Verdict`]. `Run` is its only door to the outside: time,
//! cancellation, progress and statistics. Verdicts carry what others need to check them: a [`Trace`] that the interpreter
//! replays, or a [`Proof`] that `certify` proves again.
//!
//! Invariants: no engine is named here; nothing here prints, reads files or calls a solver. A bound that was reached is
//! a [`Reason`] for UNKNOWN and can never be TRUE.

mod proof;
mod run;
pub mod shape;
mod shared;
mod statistics;
mod trace;
mod verdict;

pub use limits::Cancel;
pub use proof::{
    Crowd, Explored, Fold, Group, Inlined, Invariant, Outcome, Proof, Reduction, Region, Residue, Standing, Stepped,
    Summary,
};
pub use run::{Progress, Run};
pub use shared::Shared;
pub use statistics::{Statistic, Statistics};
pub use trace::{Step, Trace};
pub use verdict::{Reason, Verdict};

use ir::Program;

/// An algorithm that decides whether a program can reach one of its error locations.
pub trait Engine {
    /// The name that the command line uses.
    fn name(&self) -> &'static str;

    /// Decides the program, as far as `run` allows.
    fn check(&self, program: &Program, run: &mut Run) -> Verdict;
}
