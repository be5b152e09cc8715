//! The C frontend: C11 with GNU extensions, from text to a `Program`.
//!
//! [`load`] is the way in: [`syntax`] reads the text, [`check`](mod@check) resolves names and types and makes conversions explicit, and
//! [`lower`](mod@lower) makes a program of it.

pub mod automaton;
pub mod check;
pub mod hir;
mod lower;
pub mod syntax;
pub mod types;

pub use lower::can_check;

use hir::{Callee, ExprKind, FunctionBody, FunctionId, Unit};
use ir::{DataModel, Program};
use lower::{Units, conflicts};
use rustc_hash::FxHashSet;
use source::{Diagnostic, FileId, SourceMap, Symbol};
use std::path::{Path, PathBuf};
use syntax::PreprocessOptions;

/// What a user decides about the reading of a program.
#[derive(Clone, Debug)]
pub struct Options {
    pub data_model: DataModel,
    /// Folders to look for headers in, as `-I` names them.
    pub includes: Vec<PathBuf>,
    /// `NAME` or `NAME=VALUE`, as `-D` takes them.
    pub defines: Vec<String>,
    /// The function that execution starts with.
    pub entry: Symbol,
    /// The classes of properties that the program is to be checked for; see [`can_check`].
    pub properties: Vec<Symbol>,
    /// Whether `malloc` and its like may return null. SV-COMP's programs take it that they do not.
    pub malloc_may_fail: bool,
    /// Where registers of devices lie: addresses and sizes in bytes.
    pub registers: Vec<(u64, u64)>,
    pub missing_bodies: MissingBodies,
    pub pointers: Pointers,
    /// Whether atomic steps of all memory orders are taken to be sequentially consistent.
    pub sequential_consistency: bool,
    /// Automata of the user; those count whose class `automaton:NAME` is among the properties.
    pub automata: Vec<automaton::Automaton>,
}

impl Options {
    /// The usual options: `main` is the entry, and the errors that `unreach-call` forbids are properties.
    pub fn new(data_model: DataModel) -> Options {
        Options {
            data_model,
            includes: Vec::new(),
            defines: Vec::new(),
            entry: Symbol::new("main"),
            properties: vec![Symbol::new("unreach-call")],
            malloc_may_fail: false,
            registers: Vec::new(),
            missing_bodies: MissingBodies::default(),
            pointers: Pointers::default(),
            sequential_consistency: false,
            automata: Vec::new(),
        }
    }
}

/// What a call of a function of the user does that has no body.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum MissingBodies {
    /// It is not supported.
    #[default]
    Refuse,
    /// It returns anything, changes nothing and calls nothing.
    Pure,
    /// It returns anything, writes anything to the memory that its arguments reach, and calls the functions that it is given.
    Havoc,
}

/// What pointer arguments of the entry may have in common, if it is not `main`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Pointers {
    /// They may be equal, and point into one object.
    #[default]
    Any,
    /// They point to different objects.
    Separate,
}

/// How the reason for an UNKNOWN ends that says that a function has no body.
pub const NO_BODY: &str = ", which has no body";

/// A program that has been read and checked: it can be lowered for one property after the other.
pub struct Checked {
    /// The user's come first, the library's follow.
    units: Vec<Unit>,
    /// How many are the user's.
    users: usize,
}

/// A file with a translation unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceFile {
    pub path: PathBuf,
    /// Options for this file alone, as a C compiler takes them: `-I`, `-D`, `-U`, `-include`, `-std` and their like.
    pub arguments: Vec<String>,
}

impl SourceFile {
    /// Whether `inline` means what it meant before C99.
    fn has_gnu_inline(&self) -> bool {
        const OLD: [&str; 6] = ["-ansi", "-std=c89", "-std=c90", "-std=gnu89", "-std=gnu90", "-std=iso9899:1990"];
        let is_standard = |argument: &&String| argument.starts_with("-std=") || *argument == "-ansi";
        let last = self.arguments.iter().rfind(is_standard);
        last.is_some_and(|last| OLD.contains(&last.as_str())) || self.arguments.iter().any(|a| a == "-fgnu89-inline")
    }

    pub fn new(path: &Path) -> SourceFile {
        SourceFile { path: path.to_path_buf(), arguments: Vec::new() }
    }
}

impl Checked {
    /// The program, for the properties that the options name. The other options must be those that it was read with.
    pub fn program(&self, options: &Options, map: &SourceMap) -> Result<Program, Vec<Diagnostic>> {
        let program = lower::lower(Units { all: &self.units, users: self.users }, map, options)?;
        debug_assert!(ir::validate(&program).is_ok(), "{:?}", ir::validate(&program));
        Ok(program)
    }
}

impl Checked {
    /// The functions that other programs can call, if no file defines `main`.
    pub fn library_functions(&self) -> Vec<Symbol> {
        lower::library_functions(Units { all: &self.units, users: self.users })
    }
}

/// Loads a program from a file, which is preprocessed if it must be.
pub fn load(path: &Path, options: &Options, map: &mut SourceMap) -> Result<Program, Vec<Diagnostic>> {
    read(&[SourceFile::new(path)], options, map)?.program(options, map)
}

/// Reads, checks and links the files of a program.
pub fn read(files: &[SourceFile], options: &Options, map: &mut SourceMap) -> Result<Checked, Vec<Diagnostic>> {
    let mut users = Vec::new();
    for file in files {
        let text = text(file, options, map)?;
        users.push(checked(text, file.has_gnu_inline(), options, map)?);
    }
    with_library(users, options, map)
}

/// Brings the text of a file, preprocessed if it must be.
pub fn text(file: &SourceFile, options: &Options, map: &mut SourceMap) -> Result<FileId, Vec<Diagnostic>> {
    let preprocess = PreprocessOptions {
        data_model: options.data_model,
        includes: options.includes.clone(),
        defines: options.defines.clone(),
        arguments: file.arguments.clone(),
    };
    syntax::load(&file.path, &preprocess, map)
}

/// Loads a program from a text that needs no preprocessor.
pub fn load_text(
    name: &str,
    text: impl Into<Vec<u8>>,
    options: &Options,
    map: &mut SourceMap,
) -> Result<Program, Vec<Diagnostic>> {
    let file = map.add(name, text.into());
    let unit = checked(file, false, options, map)?;
    with_library(vec![unit], options, map)?.program(options, map)
}

/// Links the user's units with each other and with the parts of the library that they need.
fn with_library(mut units: Vec<Unit>, options: &Options, map: &mut SourceMap) -> Result<Checked, Vec<Diagnostic>> {
    let users = units.len();
    let conflicts = if users > 1 { conflicts(Units { all: &units, users }) } else { Vec::new() };
    if !conflicts.is_empty() {
        return Err(conflicts);
    }
    let mut read = [false; lower::SOURCES.len()];
    // A text of the library may need others.
    let mut at = 0;
    while let Some(unit) = units.get(at) {
        let missing = missing_functions(unit, at < users);
        for (n, (name, text)) in lower::SOURCES.into_iter().enumerate() {
            if !read[n] && missing.iter().any(|function| lower::needs_source(n, function.as_str())) {
                read[n] = true;
                let file = map.add(name, text.into());
                units.push(checked(file, false, options, map)?);
            }
        }
        at += 1;
    }
    Ok(Checked { units, users })
}

fn checked(
    file: FileId,
    has_gnu_inline: bool,
    options: &Options,
    map: &mut SourceMap,
) -> Result<Unit, Vec<Diagnostic>> {
    let (tree, errors) = syntax::parse(map, file);
    let dialect = check::Dialect { model: options.data_model, has_gnu_inline };
    if errors.is_empty() { check::check(&tree, map, dialect) } else { Err(errors) }
}

/// The functions of the library that a unit may use: it does not define them.
fn missing_functions(unit: &Unit, is_users: bool) -> Vec<Symbol> {
    let bodies = unit.functions.iter().filter_map(|function| match &function.body {
        FunctionBody::Defined(body) => Some(body),
        _ => None,
    });
    let used = bodies.flat_map(|body| &body.exprs).filter_map(|expr| match expr.kind {
        ExprKind::Function(id) | ExprKind::Call { callee: Callee::Direct(id), .. } => Some(id),
        _ => None,
    });
    let used: FxHashSet<FunctionId> = used.collect();
    let missing = |id: &FunctionId| matches!(unit[*id].body, FunctionBody::None) && unit[*id].alias.is_none();
    let fits = |id: &FunctionId| !is_users || lower::fits(&unit.types, unit[*id].name.as_str(), unit[*id].ty);
    used.into_iter().filter(missing).filter(fits).map(|id| unit[id].name).collect()
}
