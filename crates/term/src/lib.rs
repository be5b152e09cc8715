//! Sorts, values and hash-consed terms: the one expression type of Fathom.
//!
//! Program edges, formulas, invariants and interpolants are all [`Term`]s. A term is a pointer to an immutable node in
//! a store that the whole process shares: it is cheap to copy, equal exactly when it is the same node, and may cross
//! threads. Threads keep private layers above the store (memo tables keyed by terms, translations to a solver), which
//! need no locks.
//!
//! Invariants: every node is well sorted (checked when it is made); there is one node for an operator applied to given
//! arguments; nodes are never freed or changed. The crate knows neither programs nor solvers.

pub mod bits;
pub mod build;
mod domain;
pub mod eval;
pub mod float;
pub mod free;
mod known;
mod op;
mod printer;
pub mod random;
pub mod simplify;
pub mod smtlib;
mod sort;
mod store;
pub mod subst;
pub mod symbol;
pub mod text;
mod typing;
mod value;
pub mod visit;

pub use known::known;
pub use op::{Function, Op, Rounding};
pub use sort::{FloatFormat, Sort, SortKind};
pub use store::Term;
pub use typing::SortError;
pub use value::{ArrayValue, Bv, Value};

/// The width of an object identity inside a pointer.
pub const OBJECT_WIDTH: u32 = 32;
/// The widest bit-vector that terms can carry.
pub const MAX_WIDTH: u32 = 128;
