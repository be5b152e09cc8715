//! Evaluation: what an operator gives on values, and what a term gives under an assignment.

mod apply;

pub use apply::apply;
