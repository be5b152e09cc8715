//! Satisfiability modulo theories behind one small trait, and what is built on it: enumeration of all models over given
//! literals, entailed literals, sequence interpolants.
//!
//! [`Smt`] is what every solver can do; [`Z3`] is the back end for all theories, [`Blaster`] our own for
//! machine arithmetic, and [`Relay`] asks several in turn. Beside it, propositional logic alone: [`sat`] and [`guide`], and-inverter graphs ([`aig`], [`cnf`]) and
//! formulas with two quantifiers ([`qbf`]). Terms go in and [`term::Value`]s come
//! out: nothing of a solver's own representation is seen outside.
//!
//! Invariants: the crate knows nothing of programs. An answer `Unsat` or an interpolant is only given when it is
//! right; what a solver cannot do is an [`Unknown`] with its reason, never a panic or a guess.

pub mod aig;
mod allsmt;
pub mod atoms;
mod blaster;
pub mod circuits;
pub mod cnf;
pub mod conformance;
mod entailed;
mod fresh;
pub mod guide;
pub mod interpolate;
mod products;
pub mod qbf;
pub mod relax;
mod relay;
pub mod sat;
mod smt;
mod statistics;
mod z3;

pub use allsmt::{AllSmt, Cube, Enumerated, conjunction};
pub use blaster::Blaster;
pub use entailed::entailed;
pub use interpolate::{Interpolator, NoInterpolants};
pub use limits::{Cancel, Limits};
pub use products::{Factor, Products};
pub use relay::{Maker, Relay};
pub use smt::{Answer, Smt, Unknown, Unsupported};
pub use statistics::{Kind, Statistics};
pub use z3::{Profile, Z3};
