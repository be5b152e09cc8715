//! From the checked program to control-flow automata: side effects, short-circuit evaluation, memory and the library become
//! explicit.
//!
//! What C means here is decided once, in these parts:
//! - [`storage`] says which objects are variables and which lie in memory; [`place`], [`access`] and [`record`] read and
//!   write them; [`pointer`] makes, moves and compares addresses, and [`provenance`] knows what numbers are addresses;
//!   [`init`] gives first values.
//! - [`expr`], [`arith`], [`convert`], [`condition`], [`nan`] and [`update`] turn expressions into terms. A term stands for a value
//!   only until something that it mentions changes, so what is needed later is kept in a temporary variable
//!   ([`effects`] tells when).
//! - [`stmt`], [`switch`] and [`scope`] turn statements into edges; [`call`], [`indirect`], [`variadic`] do so for calls,
//!   [`library`] for what the program does not define itself, [`missing`] and [`havoc`] for what nothing defines.
//! - [`jump`] knows how functions are left by `longjmp`.
//! - [`contract`] checks and assumes what contracts say.
//! - [`device`] knows the registers of devices, at constant addresses.
//! - [`coincide`] knows which pointers to different objects may be equal.
//! - [`checks`] puts in what the properties forbid; [`initialised`], [`constant`], [`race`] and [`automaton`] do so for those
//!   that need more state. Without a property nothing is put in.
//! - [`order`] finds where the order of evaluation can matter that C leaves open.
//! - [`start`] writes the procedure that execution starts with, [`arguments`] and [`entry`] what `main` and a library's
//!   function are given; [`alloc`] makes
//!   objects, [`layout`] says where they lie, and [`weak`] knows which may be missing.
//! - [`code`], [`first`] and [`tidy`] make small automata in which every variable is written before it is read.
//!
//! In a program with threads, an edge reads or writes at most one thing that threads share.

mod access;
mod alloc;
mod arguments;
mod arith;
mod atomic;
mod automaton;
mod builtin;
mod call;
mod checks;
mod code;
mod coincide;
mod condition;
mod constant;
mod context;
mod contract;
mod convert;
mod deadlock;
mod device;
mod effects;
mod entry;
mod expr;
mod first;
mod function;
mod havoc;
mod indirect;
mod init;
mod initialised;
mod jump;
mod layout;
mod library;
mod link;
mod missing;
mod nan;
mod order;
mod place;
mod pointer;
mod provenance;
mod race;
mod reach;
mod record;
mod rounding;
mod scope;
mod start;
mod stmt;
mod storage;
mod switch;
mod tidy;
mod update;
mod value;
mod variadic;
mod weak;
mod writer;

pub use checks::can_check;
pub(crate) use library::{SOURCES, fits, needs_source};
pub(crate) use link::{Units, conflicts};

use crate::Options;
use crate::hir::{Body, Function, FunctionBody, FunctionId, Linkage, StmtId};
use context::{Addresses, Context};
use ir::Program;
use link::{In, Link};
use source::{Diagnostic, Severity, SourceMap, Span, Symbol};
use std::collections::BTreeSet;

/// Lowers a program.
pub(crate) fn lower(units: Units<'_>, map: &SourceMap, options: &Options) -> Result<Program, Vec<Diagnostic>> {
    let Some(entry) = find_entry(units, options) else { return Err(missing_entry(units, options)) };
    let nowhere = Span::new(units.all[entry.unit].file, 0, 0);
    let empty = Body {
        parameters: Vec::new(),
        locals: Vec::new(),
        labels: Vec::new(),
        exprs: Vec::new(),
        places: Vec::new(),
        stmts: Vec::new(),
        root: StmtId(0),
        end: nowhere,
    };
    // Few programs look at addresses, and only for those it is said where objects lie. That is known in the end.
    let attempt = |addresses: Addresses, registers: BTreeSet<device::Region>| {
        let mut context = Context::new(Link::new(units), map, options, &empty, entry, addresses, registers);
        context.reach_end();
        context.lower_functions();
        context.write_start(entry);
        context
    };
    let declared: BTreeSet<device::Region> = options.registers.iter().copied().collect();
    let mut context = attempt(Addresses::Unseen, declared.clone());
    let puns = context.link.puns_pointers(&context.reached);
    let addresses = match context.makes_pointers || puns {
        true => Addresses::Apart,
        false if context.uses_addresses() => Addresses::Touching,
        false => Addresses::Unseen,
    };
    // The same holds for the registers of devices: accesses that come first do not know of pointers that are made later.
    if addresses != Addresses::Unseen || context.registers != declared {
        let found = std::mem::take(&mut context.registers);
        context = attempt(addresses, found);
    }
    Ok(context.finish())
}

/// The functions of the user that have a body.
fn defined_functions(units: Units<'_>) -> impl Iterator<Item = (In<FunctionId>, &Function)> {
    let users = units.all[..units.users].iter().enumerate();
    let all = users.flat_map(|(unit, u)| {
        u.functions.iter().enumerate().map(move |(i, f)| (In { unit, id: FunctionId(i as u32) }, f))
    });
    all.filter(|(_, f)| !matches!(f.body, FunctionBody::None))
}

/// The function to start with. One that other files can see goes before one of a file's own.
fn find_entry(units: Units<'_>, options: &Options) -> Option<In<FunctionId>> {
    let named = || defined_functions(units).filter(|(_, f)| f.name == options.entry);
    let visible = named().find(|(_, f)| f.linkage == Linkage::External && !f.is_weak && !f.is_inline_only);
    visible.or_else(|| named().next()).map(|(function, _)| function)
}

/// The functions that other programs can call, if there is no `main`.
pub(crate) fn library_functions(units: Units<'_>) -> Vec<Symbol> {
    let is_visible = |f: &&Function| f.linkage == Linkage::External && !f.is_inline_only;
    let names: Vec<Symbol> = defined_functions(units).map(|(_, f)| f).filter(is_visible).map(|f| f.name).collect();
    if defined_functions(units).any(|(_, f)| f.name == "main".into()) { Vec::new() } else { names }
}

fn missing_entry(units: Units<'_>, options: &Options) -> Vec<Diagnostic> {
    let message = format!("the program defines no function `{}` to start with", options.entry);
    let names: Vec<String> = defined_functions(units).take(10).map(|(_, f)| format!("`{}`", f.name)).collect();
    let mut diagnostic = Diagnostic::without_place(Severity::Error, message);
    if !names.is_empty() {
        diagnostic = diagnostic.note(format!("it defines {}", names.join(", ")));
    }
    vec![diagnostic.help("name another function to start with by `--entry`")]
}
