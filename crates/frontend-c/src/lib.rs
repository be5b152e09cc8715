//! The C frontend: C11 with GNU extensions, from text to a `Program`.

pub mod check;
pub mod hir;
pub mod syntax;
pub mod types;
