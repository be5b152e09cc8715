//! Witnesses in SV-COMP's format 2.0, and violation witnesses of 1.0: reading them, and checking what they say.
//!
//! [`read`](self::read) takes the YAML apart, and [`graphml`] the older form. [`instrument`] writes what it says into the text of the program: where an
//! execution must come by, and what must hold there. [`validate`] decides the program that results. [`invariants`] says what of
//! a proof can be said of the source. `report` writes witnesses.

mod graphml;
mod instrument;
pub mod invariants;
mod read;
mod sha256;
mod validate;

pub use sha256::sha256;
pub use validate::validate;
