//! From the text of a C program to its syntax tree: C11 with the GNU extensions.
//!
//! [`load`] brings a text, preprocessed if it must be; [`parse`] gives its [`TranslationUnit`]. The tree says what was
//! written and nothing more; see the invariants in the documentation of its types.

mod ast;
mod directive;
mod lexer;
mod literal;
mod names;
mod parser;
mod preprocess;
mod splice;
#[cfg(test)]
mod tests;
mod token;

pub use ast::*;
pub use directive::needs_preprocessor;
pub use preprocess::{PreprocessOptions, load};

use source::{Diagnostic, FileId, SourceMap};

/// Parses a loaded text, and registers its line markers with the map.
///
/// If there are diagnostics, the text is no program, and the tree holds only what could be read.
pub fn parse(map: &mut SourceMap, file: FileId) -> (TranslationUnit, Vec<Diagnostic>) {
    let mut lexed = lexer::lex(file, map.text(file));
    let mut original = map.name(file);
    let markers = std::mem::take(&mut lexed.markers);
    map.set_markers(
        file,
        markers.into_iter().map(|marker| {
            original = marker.file.unwrap_or(original);
            (marker.offset, original, marker.line)
        }),
    );
    let (unit, errors) = parser::parse(file, map.text(file), &lexed);
    let mut diagnostics = lexed.diagnostics;
    diagnostics.extend(errors);
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.as_ref().map(|label| label.span.start));
    (unit, diagnostics)
}

/// Runs a step of a recursion over a tree, with room on the stack for it.
pub fn deep<T>(step: impl FnOnce() -> T) -> T {
    const ENOUGH: usize = 128 << 10;
    const MORE: usize = 4 << 20;
    stacker::maybe_grow(ENOUGH, MORE, step)
}
