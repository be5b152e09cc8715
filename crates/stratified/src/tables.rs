//! Summaries by cases: what becomes of the values of type-state-like globals in a procedure, case by case.
//!
//! A variable's value is one of the constants that the program gives it or compares it with, or another one. A [`Case`] tells this
//! for some variables. The [`Table`] of a procedure has a [`Row`] for each case of the globals in which it is entered, with
//! the cases of results and globals in which it may return, and whether it may fail. So it is a conjunction of Houdini's
//! templates `old(g) == c && ... ==> h == d || ...`, in which only those are written that survive (see
//! [`crate::tabulate`]).

use crate::effects::Effect;
use crate::states::states;
use crate::summary::at_entry;
use ir::{Cfa, Op, ProcId, Program};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use term::build::{and, eq, implies, not, or, truth};
use term::visit::post_order;
use term::{SortKind, Term, Value};

/// What is known of a variable's value: the constant of this number, or no constant of its domain, or nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Known {
    Is(usize),
    Other,
    Nothing,
}

/// What is known of the values of some variables, in their order.
pub type Case = Vec<Known>;

/// The constants that matter for each variable that cases are about.
pub struct Domains {
    constants: BTreeMap<Term, Vec<Term>>,
}

/// A domain with more constants than this is not a state.
const MOST_CONSTANTS: usize = 12;

impl Domains {
    pub fn new(program: &Program) -> Domains {
        let mut constants: BTreeMap<Term, BTreeSet<Term>> =
            states(program).into_iter().map(|state| (state, BTreeSet::new())).collect();
        let results = program.procedures.iter().filter(|p| p.body.is_ok()).flat_map(|p| &p.results);
        constants.extend(results.map(|result| (result.term, BTreeSet::new())));
        for (_, edge) in program.procedures.iter().flat_map(|p| p.body.iter().flat_map(Cfa::edges)) {
            match &edge.op {
                Op::Assign(pairs) => pairs.iter().for_each(|(variable, value)| {
                    if let (Some(known), Some(_)) = (constants.get_mut(variable), value.value()) {
                        known.insert(*value);
                    }
                }),
                Op::Assume(condition) => post_order([*condition]).into_iter().for_each(|part| {
                    if let [one, other] = part.args() {
                        for (variable, value) in [(one, other), (other, one)] {
                            if let (Some(known), Some(_)) = (constants.get_mut(variable), value.value()) {
                                known.insert(*value);
                            }
                        }
                    }
                }),
                _ => {}
            }
        }
        constants.iter_mut().for_each(|(variable, known)| {
            if *variable.sort().kind() == SortKind::Bool {
                known.insert(truth());
            }
        });
        let usable = |known: &BTreeSet<Term>| (1..=MOST_CONSTANTS).contains(&known.len());
        let constants = constants.into_iter().filter(|(_, known)| usable(known));
        Domains { constants: constants.map(|(v, known)| (v, known.into_iter().collect())).collect() }
    }

    pub fn has(&self, variable: Term) -> bool {
        self.constants.contains_key(&variable)
    }

    /// The case of a value of a variable.
    pub fn known(&self, variable: Term, value: Value) -> Known {
        let value = Term::constant(value);
        let position = self.constants[&variable].iter().position(|constant| *constant == value);
        position.map_or(Known::Other, Known::Is)
    }

    /// That terms, which stand for these variables, are as a case tells.
    pub fn holds(&self, variables: &[Term], case: &Case, terms: impl IntoIterator<Item = Term>) -> Term {
        and(variables.iter().zip(case).zip(terms).map(|((variable, known), term)| {
            let constants = &self.constants[variable];
            match known {
                Known::Is(number) => eq(term, constants[*number]),
                Known::Other => and(constants.iter().map(|constant| not(eq(term, *constant)))),
                Known::Nothing => truth(),
            }
        }))
    }
}

/// The cases in which a procedure that is entered in one case may end.
pub struct Row {
    pub entry: Case,
    pub exits: Vec<Case>,
    pub fails: bool,
}

/// What is known of a procedure.
pub struct Table {
    /// The globals that cases at the entry are about.
    pub inputs: Vec<Term>,
    /// The results and globals that cases at the exit are about.
    pub outputs: Vec<Term>,
    pub rows: Vec<Row>,
    pub numbers: FxHashMap<Case, usize>,
}

impl Table {
    /// A table without rows, if there is something to be told about a procedure.
    pub fn new(program: &Program, domains: &Domains, effect: &Effect, id: ProcId) -> Option<Table> {
        let procedure = program.procedure(id);
        let changes = effect.changed.iter().any(|global| domains.has(*global));
        if procedure.body.is_err() || !(changes || effect.fails) {
            return None;
        }
        let results = procedure.results.iter().map(|result| result.term);
        Some(Table {
            inputs: effect.mentioned.iter().copied().filter(|global| domains.has(*global)).collect(),
            outputs: results.chain(effect.changed.iter().copied()).filter(|v| domains.has(*v)).collect(),
            rows: Vec::new(),
            numbers: FxHashMap::default(),
        })
    }

    /// What holds where the procedure returns: a list of formulas, over the values at the exit and those [`at_entry`].
    pub fn returned(&self, domains: &Domains) -> Vec<Term> {
        let entered = |row: &Row| domains.holds(&self.inputs, &row.entry, self.inputs.iter().copied().map(at_entry));
        let left = |exit: &Case| domains.holds(&self.outputs, exit, self.outputs.iter().copied());
        self.rows.iter().map(|row| implies(entered(row), or(row.exits.iter().map(left)))).collect()
    }

    /// What holds of the values [`at_entry`] if the procedure fails.
    pub fn failed(&self, domains: &Domains) -> Term {
        let entered = |row: &Row| domains.holds(&self.inputs, &row.entry, self.inputs.iter().copied().map(at_entry));
        and(self.rows.iter().filter(|row| !row.fails).map(|row| not(entered(row))))
    }
}
