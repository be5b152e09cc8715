//! Files, spans and diagnostics: everything Fathom knows about the text that a user wrote.
//!
//! Invariants: this crate knows no program representation and no language. A [`Symbol`] is an interned string that
//! lives as long as the process; a [`Place`] is a position in the user's own file, after line markers were followed.

mod place;
mod span;
mod symbol;

pub use place::Place;
pub use span::{FileId, Span};
pub use symbol::Symbol;
