//! The values of literals.

mod number;
mod quoted;

pub(super) use number::number;
pub(super) use quoted::{character, string};

/// What is wrong with a literal.
pub(super) type Literal<T> = Result<T, String>;
