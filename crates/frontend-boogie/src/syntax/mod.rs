//! From the text of a Boogie program to its syntax tree.

mod ast;
mod lexer;
mod parser;
#[cfg(test)]
mod tests;
mod token;
mod walk;

pub use ast::*;

use source::{Diagnostic, FileId, SourceMap};

/// Parses a loaded text. If there are diagnostics, the text is no program, and the tree holds only what could be read.
pub fn parse(map: &SourceMap, file: FileId) -> (Tree, Vec<Diagnostic>) {
    let lexed = lexer::lex(file, map.text(file));
    let (tree, errors) = parser::parse(file, map.text(file), &lexed.tokens);
    let mut diagnostics = lexed.diagnostics;
    diagnostics.extend(errors);
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.as_ref().map(|label| label.span.start));
    (tree, diagnostics)
}

/// Runs a step of a recursion over a tree, with room on the stack for it.
pub fn deep<T>(step: impl FnOnce() -> T) -> T {
    const ENOUGH: usize = 128 << 10;
    const MORE: usize = 4 << 20;
    stacker::maybe_grow(ENOUGH, MORE, step)
}
