//! From a request to a [`report::Report`]: load the program, decide, check the answer.
//!
//! [`check::check`] is the whole way; [`load::load`] and [`execute::execute`] serve the other commands. The tables of
//! languages (in [`load`]) and of engines ([`engines`]) are the only places that know which there are.
//!
//! Invariants: a FALSE was executed in the interpreter, edge by edge, before it is reported; a TRUE was checked by code
//! that did not find it; what fails its check, and what nothing can check, is UNKNOWN. Nothing here prints.

pub mod abstraction;
#[cfg(test)]
mod agreement;
mod algebra;
pub mod all;
mod attempt;
mod axioms;
#[cfg(test)]
mod calls;
mod candidates;
mod causes;
pub mod check;
mod checks;
mod compile_commands;
mod connected;
mod endless;
pub mod engines;
pub mod execute;
pub mod inputs;
#[cfg(test)]
mod interleavings;
mod lines;
pub mod load;
pub mod modelling;
#[cfg(test)]
mod morphings;
mod narrate;
pub mod pipeline;
mod portfolio;
pub mod property;
mod recheck;
pub mod reference;
mod remarks;
pub mod replay;
pub mod report;
mod select;
mod task;
pub mod witness;
