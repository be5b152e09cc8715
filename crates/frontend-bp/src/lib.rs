//! The frontend for Boolean programs, as SLAM, SatAbs, Boppo and Boom write them: from text to a `Program` and back.
//!
//! [`load`] is the way in: [`syntax`] reads the text and `lower` makes a program of it, checking names and numbers on its way.
//! [`print`](print::print) writes a program over Booleans as a text that [`load`] reads.
//!
//! Invariants: a diagnostic means that the text is no program; what is a program but has no known meaning (`sync`) becomes
//! an unsupported location. Nothing panics on any text. A variable without a value has an arbitrary one.

mod lower;
pub mod print;
pub mod promela;
pub mod syntax;

use ir::Program;
use source::{Diagnostic, FileId, Severity, SourceMap, Symbol};
use std::path::Path;

/// What a user decides about the reading of a program.
#[derive(Clone, Debug)]
pub struct Options {
    /// The function that execution starts with.
    pub entry: Symbol,
    /// The classes of properties that the program is to be checked for; see [`can_check`].
    pub properties: Vec<Symbol>,
}

impl Default for Options {
    fn default() -> Options {
        Options { entry: Symbol::new("main"), properties: vec![Symbol::new("unreach-call")] }
    }
}

/// Whether programs can be checked for the properties of a class: assertions, and labels that must not be reached.
pub fn can_check(class: &str) -> bool {
    class == "unreach-call" || class.starts_with(lower::LABEL)
}

/// Loads a program from a file.
pub fn load(path: &Path, options: &Options, map: &mut SourceMap) -> Result<Program, Vec<Diagnostic>> {
    let file = map.read(path).map_err(|error| {
        vec![Diagnostic::without_place(Severity::Error, format!("cannot read {}: {error}", path.display()))]
    })?;
    load_file(file, options, map)
}

/// Loads a program from a text.
pub fn load_text(name: &str, text: &str, options: &Options, map: &mut SourceMap) -> Result<Program, Vec<Diagnostic>> {
    let file = map.add(name, text.into());
    load_file(file, options, map)
}

fn load_file(file: FileId, options: &Options, map: &SourceMap) -> Result<Program, Vec<Diagnostic>> {
    let unit = syntax::parse(map, file)?;
    let program = lower::lower(&unit, map.name(file), map, options)?;
    debug_assert!(ir::validate(&program).is_ok(), "{:?}", ir::validate(&program));
    Ok(program)
}
