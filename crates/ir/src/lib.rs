//! Programs: procedures as control-flow automata, threads, properties and source origins.
//!
//! [`Program`] is the one representation that frontends make, passes change and engines check. Its edges carry
//! [`term::Term`]s; side effects, conversions and memory accesses are explicit in them.
//!
//! Invariants: the laws of [`Program`] are those that the validator checks and names; the textual form is exact
//! (parsing what was printed gives the same program). The crate knows no source language and no solver.

mod assumption;
mod cfa;
pub mod interp;
pub mod memory;
mod parse;
mod print;
mod program;
pub mod random;
mod sorts;
mod validate;

pub use assumption::{Assumption, AssumptionKind};
pub use cfa::{Cfa, CfaBuilder, Edge, EdgeId, LocId, Location, LocationKind, Op};
pub use parse::{ParseError, parse, parse_bytes};
pub use print::print;
pub use program::{
    DataModel, Model, ObjectKind, ProcId, Procedure, Program, Property, PropertyId, StaticObject, Variable, status,
};
pub use validate::{Rule, Site, Violation, validate};
