//! Sets of states: binary decision diagrams, Presburger sets, polyhedra, and formulas composed of all three.
//!
//! | module | sets of | how |
//! |---|---|---|
//! | [`bdd`] | Booleans | decision diagrams (`oxidd`) |
//! | [`presburger`] | integers | linear constraints with integer divisions (`isl`) |
//! | [`polyhedra`] | reals | linear constraints over exact fractions, on our own simplex |
//! | [`composite`] | all of them | disjunctions of one of each |
//!
//! Each has the same operations under the same names: `and`, `or`, `minus`, `not`, `exists`, `rename`, `entails`,
//! a model, and itself as a term.
//!
//! Invariants: nothing here knows programs. Variables are numbers. Operations are exact, but for those that are called hulls; what cannot be finished within the limits ends
//! with [`Stop`], never with an approximation. Sets of different managers must not be combined, which panics.

pub mod bdd;
pub mod composite;
mod constraint;
pub mod polyhedra;
pub mod presburger;

pub use constraint::{Constraint, Relation};

/// A variable's number. Booleans, integers and reals are counted separately.
pub type Variable = u32;

/// Why an operation ended without a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// A manager of decision diagrams has no room left.
    Full,
    /// A limit of the work is exceeded.
    Exceeded(limits::Exceeded),
    /// The library isl reports an error of its own.
    Library(String),
}

impl From<bdd::Full> for Stop {
    fn from(_: bdd::Full) -> Stop {
        Stop::Full
    }
}

impl From<limits::Exceeded> for Stop {
    fn from(exceeded: limits::Exceeded) -> Stop {
        Stop::Exceeded(exceeded)
    }
}
