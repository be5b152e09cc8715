//! Exact linear arithmetic: fractions, linear sums of variables or terms, and a simplex with Farkas certificates.
//!
//! Invariants: nothing is rounded; equal fractions and equal sums are equal by form. Nothing here knows formulas with Boolean
//! structure: [`simplex::Simplex`] decides conjunctions, [`terms`] translates single sums from and to terms.

mod rational;
pub mod simplex;
mod sum;
pub mod terms;

pub use rational::Rational;
pub use sum::Sum;
