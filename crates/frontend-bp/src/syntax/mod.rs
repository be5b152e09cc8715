//! From the text of a Boolean program to its syntax tree.

mod ast;
mod expression;
mod lexer;
mod parser;
mod statement;
#[cfg(test)]
mod tests;

pub use ast::*;
pub(crate) use lexer::KEYWORDS;

use source::{Diagnostic, FileId, SourceMap};

/// Parses a loaded text, or says what is wrong with it: all its strange characters, and its first error of grammar.
pub fn parse(map: &SourceMap, file: FileId) -> Result<Unit, Vec<Diagnostic>> {
    let (tokens, mut diagnostics) = lexer::lex(file, map.text(file));
    match parser::Parser::new(&tokens).unit() {
        Ok(unit) if diagnostics.is_empty() => return Ok(unit),
        Ok(_) => {}
        Err(error) => diagnostics.push(error),
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.as_ref().map(|label| label.span.start));
    Err(diagnostics)
}

/// Runs a step of a recursion over a tree, with room on the stack for it.
pub fn deep<T>(step: impl FnOnce() -> T) -> T {
    const ENOUGH: usize = 128 << 10;
    const MORE: usize = 4 << 20;
    stacker::maybe_grow(ENOUGH, MORE, step)
}
