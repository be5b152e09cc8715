//! Sets of states: binary decision diagrams, and later Presburger sets and polyhedra beside them.
//!
//! Invariants: nothing here knows programs. A [`bdd::Bdd`] keeps its manager alive; functions of different managers must
//! not be combined, and the library refuses it.

pub mod bdd;
