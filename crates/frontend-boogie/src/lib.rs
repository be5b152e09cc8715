//! The Boogie frontend: Boogie 2 as Corral, SMACK and SDV write it, and Ultimate's dialect, from text to a `Program`.
//!
//! [`load`] is the way in: [`syntax`] reads the text, [`check`](mod@check) resolves names and types, and `lower` makes a program of
//! it.
//!
//! Invariants: a diagnostic that is an error means that the text is no program; what is a program but cannot be expressed
//! becomes an unsupported location, so that it matters only if it can be reached. Nothing panics on any text.

pub mod check;
pub mod hir;
mod lower;
pub mod syntax;

use ir::Program;
use source::{Diagnostic, FileId, Severity, SourceMap, Symbol};
use std::path::Path;

/// What a user decides about the reading of a program.
#[derive(Clone, Debug)]
pub struct Options {
    /// The procedure that execution starts with. Without it: the one marked `{:entrypoint}`, `ULTIMATE.start`, `main`, or
    /// the only one that has an implementation.
    pub entry: Option<Symbol>,
    /// The classes of properties that the program is to be checked for; see [`can_check`].
    pub properties: Vec<Symbol>,
    /// Whether a thread runs until it yields.
    pub cooperative: bool,
    /// What constants are that are to be inferred.
    pub candidates: Candidates,
}

/// What the constants are that a program leaves to be inferred (`{:existential true}`).
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum Candidates {
    /// All are false, so that the clauses that they stand before say nothing.
    #[default]
    Dropped,
    /// These are true, the others are false.
    Kept(Vec<Symbol>),
    /// They are globals that never change, in the modular view of the program: every implementation by itself, with contracts
    /// in the place of calls and loops cut at their invariants. Only clauses that mention them are asserted.
    Modular,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            entry: None,
            properties: vec![Symbol::new("unreach-call")],
            cooperative: false,
            candidates: Candidates::Dropped,
        }
    }
}

/// A program, and what is odd about its text.
#[derive(Debug)]
pub struct Loaded {
    pub program: Program,
    /// The user's procedure that execution starts with.
    pub entry: Symbol,
    pub warnings: Vec<Diagnostic>,
    /// The constants that are to be inferred.
    pub candidates: Vec<Symbol>,
}

/// Whether programs can be checked for the properties of a class: assertions, and labels that must not be reached.
pub fn can_check(class: &str) -> bool {
    class == "unreach-call" || class.starts_with("unreach-label:")
}

/// Loads a program from a file.
pub fn load(path: &Path, options: &Options, map: &mut SourceMap) -> Result<Loaded, Vec<Diagnostic>> {
    let file = map.read(path).map_err(|error| {
        vec![Diagnostic::without_place(Severity::Error, format!("cannot read {}: {error}", path.display()))]
    })?;
    load_file(file, options, map)
}

/// Loads a program from a text.
pub fn load_text(name: &str, text: &str, options: &Options, map: &mut SourceMap) -> Result<Loaded, Vec<Diagnostic>> {
    let file = map.add(name, text.into());
    load_file(file, options, map)
}

fn load_file(file: FileId, options: &Options, map: &SourceMap) -> Result<Loaded, Vec<Diagnostic>> {
    let (tree, errors) = syntax::parse(map, file);
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut unit = check::check(tree)?;
    let warnings = std::mem::take(&mut unit.warnings);
    let candidates = unit.candidates();
    let (program, entry) = lower::lower(unit, map.name(file), map, options)?;
    debug_assert!(ir::validate(&program).is_ok(), "{:?}", ir::validate(&program));
    Ok(Loaded { program, entry, warnings, candidates })
}
