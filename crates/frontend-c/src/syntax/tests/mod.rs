//! What C texts parse to, as data: a snippet and its tree, or a snippet and the diagnostics that it gets.

mod declarations;
mod dump;
mod errors;
mod expressions;
mod limits;
mod statements;

use super::parse;
use source::{Diagnostic, SourceMap, render};

/// Parses a text for its diagnostics.
fn diagnostics(text: &str) -> (SourceMap, Vec<Diagnostic>) {
    let mut map = SourceMap::new();
    let file = map.add("t.c", text.into());
    let (_, diagnostics) = parse(&mut map, file);
    (map, diagnostics)
}

/// Parses a text. Gives the dump of its tree, or the rendered diagnostics if there are any.
fn parsed(text: &str) -> Result<String, String> {
    let mut map = SourceMap::new();
    let file = map.add("t.c", text.into());
    let (unit, diagnostics) = parse(&mut map, file);
    if diagnostics.is_empty() {
        return Ok(dump::dump(&unit));
    }
    Err(diagnostics.iter().map(|diagnostic| render(diagnostic, &map, false)).collect())
}

/// A file and its tree.
#[track_caller]
fn check(text: &str, expected: &str) {
    let dump = parsed(text).unwrap_or_else(|errors| panic!("{text}\n{errors}"));
    assert_eq!(dump, expected, "{text}");
}

/// The inside of a function body and its tree.
#[track_caller]
fn check_body(text: &str, expected: &str) {
    check(&format!("void f(void) {{ {text} }}"), &format!("(function f (fn () void) {{{expected}}})"));
}

/// A file and its diagnostics.
#[track_caller]
fn check_errors(text: &str, expected: &str) {
    match parsed(text) {
        Ok(dump) => panic!("{text}\nis parsed as {dump}"),
        Err(errors) => assert_eq!(errors, expected, "{text}\n{errors}"),
    }
}
