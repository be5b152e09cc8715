//! Predicates that go from one run to another ("Precision Reuse for Efficient Regression Verification", Beyer, Löwe, Novikov, Stahlbauer,
//! Wendler).
//!
//! The text has a part for each program that the engine was given: a line `program` with a number that tells programs apart, and then a line
//! for each predicate, with the location where it was tracked. In a run on the same program each predicate is tracked where it was, so
//! that nothing needs to be refined. In one on another program, locations have other numbers; there, a predicate is tracked wherever its
//! variables may still be read. One that speaks of what the program does not have is left out, and counted.
//!
//! Predicates are only what regions are made of, so a wrong one costs time and nothing else.

use crate::precision::Precision;
use crate::region::Predicates;
use blocks::model::Model;
use ir::{LocId, Program};
use rustc_hash::FxHashMap;
use source::Symbol;
use std::fmt::Write;
use std::sync::{Mutex, MutexGuard, PoisonError};
use term::text::{Scope, parse_closed, print};
use term::visit::post_order;
use term::{Function, Op, Sort, Term};

/// What a run is given, and what it keeps.
#[derive(Default, Debug)]
pub struct Reuse {
    given: Option<String>,
    kept: Mutex<String>,
    left_out: Mutex<Option<LeftOut>>,
}

/// How many of the predicates that were given do not fit the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LeftOut {
    pub predicates: usize,
    pub of: usize,
}

/// Predicates to begin with, each for one location, or for all.
pub type Given = Vec<(Option<LocId>, Term)>;

impl Reuse {
    pub fn new(given: Option<String>) -> Reuse {
        Reuse { given, ..Reuse::default() }
    }

    /// What was kept, as text that another run can be given. Empty if the engine did not come to an end.
    pub fn kept(&self) -> String {
        locked(&self.kept).clone()
    }

    /// What did not fit the first program that the engine was given.
    pub fn left_out(&self) -> Option<LeftOut> {
        *locked(&self.left_out)
    }

    /// The predicates that were given, as far as they fit a program.
    pub(crate) fn give(&self, program: &Program) -> Given {
        let Some(text) = &self.given else { return Given::new() };
        let parts = parts(text);
        let here = number(program);
        let same = parts.iter().find(|part| u64::from_str_radix(part.program, 16) == Ok(here));
        let names = Names::new(program);
        let lines = parts.iter().filter(|part| same.is_none_or(|same| std::ptr::eq(same, *part)));
        let read = lines.flat_map(|part| &part.lines).map(|line| {
            let (location, formula) = line.split_once(' ')?;
            let location: u32 = location.strip_prefix('L')?.parse().ok()?;
            Some((same.map(|_| LocId(location)), names.read(formula)?))
        });
        let read: Vec<Option<(Option<LocId>, Term)>> = read.collect();
        let of = read.len();
        let given: Given = read.into_iter().flatten().collect();
        locked(&self.left_out).get_or_insert(LeftOut { predicates: of - given.len(), of });
        given
    }

    /// Keeps what is tracked at the end of a run.
    pub(crate) fn keep(&self, program: &Program, model: &Model<'_>, predicates: &Predicates, precision: &Precision) {
        let mut kept = locked(&self.kept);
        if kept.is_empty() {
            kept.push_str("; Predicates that Fathom tracked, in the program as its engine saw it.\n");
        }
        let _ = writeln!(kept, "program {:016x}", number(program));
        for location in model.locations() {
            for predicate in precision.at(*location) {
                let _ = writeln!(kept, "L{} {}", location.0, print(predicates.term(predicate)));
            }
        }
    }
}

/// Whoever broke while holding the lock left at worst a part of a line.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The predicates of one program.
struct Part<'a> {
    program: &'a str,
    lines: Vec<&'a str>,
}

fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = vec![Part { program: "", lines: Vec::new() }];
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(';')) {
        match line.strip_prefix("program ") {
            Some(program) => parts.push(Part { program, lines: Vec::new() }),
            None => parts.last_mut().expect("there is a first part").lines.push(line),
        }
    }
    parts
}

/// A number that tells programs apart by what they do: neither names of files nor lines count (the hash FNV-1a).
fn number(program: &Program) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let Ok(cfa) = &program.procedure(program.entry).body else { return hash };
    for (_, edge) in cfa.edges() {
        for byte in format!("{} {} {:?}\n", edge.from.0, edge.to.0, edge.op).bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    hash
}

/// What predicates may speak of.
struct Names<'a> {
    variables: FxHashMap<Symbol, Sort>,
    functions: &'a [Function],
}

impl<'a> Names<'a> {
    fn new(program: &'a Program) -> Names<'a> {
        let entry = program.procedure(program.entry);
        let variables = program.globals.iter().chain(&entry.parameters).chain(&entry.results).chain(&entry.locals);
        let named = variables.filter_map(|variable| Some((variable.term.name()?, variable.sort())));
        Names { variables: named.collect(), functions: &program.functions }
    }

    fn read(&self, formula: &str) -> Option<Term> {
        let term = parse_closed(formula.trim(), self).ok().filter(|term| term.sort().is_bool())?;
        // A text can also name variables and functions by their sorts, and copies of variables.
        let applies =
            |part: &Term| if let Op::Apply(function) = part.op() { self.functions.contains(function) } else { true };
        let reads = |variable: &Term| {
            variable.name().is_some_and(|name| *variable == Term::var(name, variable.sort()))
                && variable.name().and_then(|name| self.variables.get(&name)) == Some(&variable.sort())
        };
        (term::free::variables([term]).iter().all(reads) && post_order([term]).iter().all(applies)).then_some(term)
    }
}

impl Scope for Names<'_> {
    fn variable(&self, name: Symbol) -> Option<Sort> {
        self.variables.get(&name).copied()
    }

    fn function(&self, name: Symbol, parameters: &[Sort]) -> Option<Function> {
        let named = |function: &&Function| function.name == name && function.parameters == parameters;
        self.functions.iter().find(named).cloned()
    }
}
