//! The textual form of programs: parsing. `docs/ir.md` describes the form.
//!
//! Invariants: never a panic, whatever the text; time and memory are linear in its length; nothing recurses as deep as
//! the text nests. The parser resolves names, and terms are well sorted; all other laws are the validator's.

mod body;
mod cursor;
mod declarations;
mod locations;
mod operations;
mod scope;

use crate::Program;
use cursor::Failure;
use declarations::Parser;
use source::{Diagnostic, FileId, Span};
use std::fmt;

/// After so many errors the rest of a text is not looked at.
const MAX_ERRORS: usize = 20;

/// Why a text is no program, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// What was expected, and what was found instead.
    pub message: String,
    /// The bytes of the text that the message is about.
    pub start: usize,
    pub end: usize,
    /// Where they start; both count from 1, and the column counts characters.
    pub line: usize,
    pub column: usize,
}

impl ParseError {
    /// The error as a diagnostic for the text, loaded as `file`.
    pub fn diagnostic(&self, file: FileId) -> Diagnostic {
        Diagnostic::error(Span::new(file, self.start as u32, self.end as u32), self.message.as_str())
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

/// The program that a text says; otherwise what is wrong with the text, at most [`MAX_ERRORS`] errors in their order.
pub fn parse(text: &str) -> Result<Program, Vec<ParseError>> {
    Parser::new(text).program().map_err(|failures| located(text, failures))
}

/// As [`parse`], for bytes that need not be text.
pub fn parse_bytes(bytes: &[u8]) -> Result<Program, Vec<ParseError>> {
    match std::str::from_utf8(bytes) {
        Ok(text) => parse(text),
        Err(error) => {
            let valid = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
            let message = "the text is not in UTF-8".to_string();
            Err(located(&valid, vec![Failure { start: valid.len(), end: valid.len() + 1, message }]))
        }
    }
}

/// Gives each failure its line and column, in one walk over the text.
fn located(text: &str, mut failures: Vec<Failure>) -> Vec<ParseError> {
    failures.sort_by_key(|failure| failure.start);
    let (mut line, mut line_start) = (1, 0);
    let mut walked = 0;
    failures
        .into_iter()
        .map(|Failure { start, end, message }| {
            for (offset, _) in text[walked..start].match_indices('\n') {
                line += 1;
                line_start = walked + offset + 1;
            }
            walked = start;
            let column = text[line_start..start].chars().count() + 1;
            ParseError { message, start, end, line, column }
        })
        .collect()
}
