//! From the checked program to the automata that engines check.
//!
//! Only what the entry can reach is lowered, and only the axioms about functions that are used there: what nobody mentions is
//! taken to be satisfiable. What cannot be expressed becomes an unsupported location, so that it matters only if
//! it can be reached; an axiom that cannot be expressed makes the whole program unsupported, if it is about something used.
//!
//! * An assertion is an edge to an error location. What is required of a call is asserted before it, what it ensures is
//!   asserted where the callee returns; free clauses are assumed there. `where` clauses are assumed where a variable
//!   takes an arbitrary value.
//! * Corral writes programs in which `assert e` has become `assume {:OldAssert} !e`, with the question whether execution goes on
//!   from there: that is the assertion again.
//! * A procedure without an implementation changes what it may change as its `ensures` clauses allow.
//! * Constants are functions without parameters. A function that a body or an axiom defines is replaced by its definition,
//!   unless it is recursive.
//! * Division by zero gives a value of which nothing is known but that it is a function of the dividend.

mod axioms;
mod builtin;
mod context;
mod contract;
mod cut;
mod datatype;
mod define;
mod expr;
mod first;
mod frame;
mod literal;
mod modular;
mod operator;
mod procedure;
mod sorts;
mod start;
mod statement;
mod threads;
mod tidy;
mod writer;

pub use literal::{float_format, is_float};

use crate::Options;
use crate::hir::{Entry, ProcedureId, Unit};
use context::Lowering;
use ir::Program;
use source::{Diagnostic, Severity, SourceMap, Span, Symbol};

/// The procedures that programs start with, where nothing says another. Ultimate's programs may have a `main` too, which
/// is the one of the program that they were translated from.
const USUAL_ENTRIES: [&str; 2] = ["ULTIMATE.start", "main"];

/// Makes a program, which keeps the laws of programs; and says which procedure it starts with.
pub fn lower(
    unit: Unit,
    file: Symbol,
    map: &SourceMap,
    options: &Options,
) -> Result<(Program, Symbol), Vec<Diagnostic>> {
    let entry = entry(&unit, options)?;
    let name = unit.procedure(entry).name;
    let lowering = Lowering::new(unit, file, map, options, entry);
    let program = if lowering.is_modular { lowering.modular() } else { lowering.program() };
    Ok((program, name))
}

/// The procedure where execution starts: the one that the user names, the one with the attribute, or one of the usual.
fn entry(unit: &Unit, options: &Options) -> Result<ProcedureId, Vec<Diagnostic>> {
    let ids = || (0..unit.procedures.len() as u32).map(ProcedureId);
    let named = |name: &str| ids().find(|id| unit.procedure(*id).name.as_str() == name);
    let found = match &options.entry {
        Some(name) => named(name.as_str()),
        None => {
            let of_kind = |entry: Entry| ids().find(|id| unit.procedure(*id).entry == entry);
            let marked = of_kind(Entry::Implementation).or_else(|| of_kind(Entry::Declaration));
            let mut implemented = ids().filter(|id| !unit.procedure(*id).implementations.is_empty());
            let only = implemented.next().filter(|_| implemented.next().is_none());
            marked.or_else(|| USUAL_ENTRIES.iter().find_map(|name| named(name))).or(only)
        }
    };
    let Some(id) = found else {
        let message = match &options.entry {
            Some(name) => format!("the program has no procedure `{name}` to start with"),
            None => "the program has no procedure to start with".to_string(),
        };
        let usual = USUAL_ENTRIES.join("` or `");
        let help = format!("mark one with {{:entrypoint}}, call it `{usual}`, or name it with --entry");
        return Err(vec![Diagnostic::without_place(Severity::Error, message).help(help)]);
    };
    let procedure = unit.procedure(id);
    let problem = |span: Span, what: &str| Err(vec![Diagnostic::error(span, format!("`{}` {what}", procedure.name))]);
    match (procedure.implementations.is_empty(), procedure.type_parameters.is_empty()) {
        (true, _) => problem(procedure.span, "has no implementation, so that execution cannot start with it"),
        (_, false) => problem(procedure.span, "has type parameters, so that execution cannot start with it"),
        (false, true) => Ok(id),
    }
}
