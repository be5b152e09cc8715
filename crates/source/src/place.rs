//! Positions in the user's own files.

use crate::Symbol;
use std::fmt;

/// A line and column (both from 1) of a file that the user wrote.
///
/// For preprocessed input this is the place that the line markers name, not the place in the preprocessed text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Place {
    pub file: Symbol,
    pub line: u32,
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}
