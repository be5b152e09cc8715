//! Files, spans and diagnostics: everything Fathom knows about the text that a user wrote.
//!
//! Invariants: this crate knows no program representation and no language. A [`Symbol`] is an interned string that
//! lives as long as the process; a [`Place`] is a position in the user's own file, after line markers were followed;
//! a [`Span`] is a range of bytes in a text of one [`SourceMap`].

mod diagnostic;
mod excerpt;
mod map;
mod place;
mod render;
mod span;
mod symbol;

pub use diagnostic::{Diagnostic, Label, Severity};
pub use map::SourceMap;
pub use place::Place;
pub use render::render;
pub use span::{FileId, Span};
pub use symbol::Symbol;
