//! Dataflow over control-flow automata.
//!
//! Invariants: every result over-approximates what can happen in an execution. Nothing here changes a program, and
//! nothing here asks a solver.

pub mod affine;
pub mod component;
pub mod copies;
pub mod few;
pub mod flow;
pub mod intervals;
pub mod live;
pub mod octagons;
pub mod points_to;
pub mod relevant;
pub mod retreating;
pub mod slice;
