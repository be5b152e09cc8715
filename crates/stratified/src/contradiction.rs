//! Why a path cannot be taken: conditions on it that contradict each other.
//!
//! Names that a path gives to values are definitions: they are not to blame, so only conditions are assumed and blamed. A core
//! is made minimal in a solver of its own, which knows only the definitions that it needs: paths are long, cores are short.

use crate::abstraction::Constraint;
use crate::solvers::Make;
use rustc_hash::{FxHashMap, FxHashSet};
use solver::{Answer, Smt};
use term::Term;
use term::build::{eq, falsehood, not};
use term::free::Free;
use term::subst::substitute;

/// So many conditions are looked at first.
const FIRST: usize = 200;

/// Finds contradictions on a path.
pub struct Contradictions<'a> {
    /// The values of names.
    definitions: FxHashMap<Term, Term>,
    /// The conditions that are still looked at, in the order of the path.
    conditions: Vec<Term>,
    /// How many of them are looked at so far.
    reached: usize,
    facts: &'a [Term],
    /// Knows all definitions.
    smt: Box<dyn Smt>,
    /// Knows facts.
    known: Box<dyn Smt>,
    decided: FxHashMap<Term, bool>,
    make: Make<'a>,
    free: Free,
}

impl<'a> Contradictions<'a> {
    pub fn new(constraints: &[Constraint], facts: &'a [Term], make: Make<'a>) -> Contradictions<'a> {
        let formulas: Vec<Term> = constraints.iter().map(|constraint| constraint.formula).collect();
        let (mut smt, mut known) = (make(&formulas), make(facts));
        facts.iter().for_each(|fact| {
            smt.assert(*fact);
            known.assert(*fact);
        });
        let (mut definitions, mut conditions) = (FxHashMap::default(), Vec::new());
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        for Constraint { formula, defines, .. } in constraints {
            match defines {
                Some((name, value)) => {
                    smt.assert(*formula);
                    definitions.insert(*name, *value);
                }
                None if formula.value().is_none() && seen.insert(*formula) => conditions.push(*formula),
                None => {}
            }
        }
        let (decided, free) = (FxHashMap::default(), Free::new());
        Contradictions { definitions, conditions, reached: 0, facts, smt, known, decided, make, free }
    }

    /// The conditions that cannot hold because of the values of names alone. This takes no solver.
    pub fn impossible(&mut self) -> Vec<Term> {
        let conditions = self.conditions.clone();
        conditions.into_iter().filter(|condition| self.in_full(*condition) == falsehood()).collect()
    }

    /// Some conditions that contradict each other, all of which are needed for that. What comes next is another contradiction: one
    /// without the last of these conditions.
    pub fn next(&mut self) -> Option<Vec<Term>> {
        // A contradiction near the beginning is found without the rest of a long path.
        while self.reached == 0 || self.smt.check_assuming(&self.conditions[..self.reached]) != Answer::Unsat {
            if self.reached == self.conditions.len() {
                return None;
            }
            self.reached = (self.reached * 2).max(FIRST).min(self.conditions.len());
        }
        let core = self.minimal(self.smt.core().to_vec());
        let last = self.conditions[..self.reached].iter().rposition(|condition| core.contains(condition))?;
        self.conditions.remove(last);
        self.reached -= 1;
        Some(core)
    }

    /// As many of the conditions as are needed.
    fn minimal(&mut self, mut core: Vec<Term>) -> Vec<Term> {
        let names = self.names(&core).into_iter().map(|name| eq(name, self.definitions[&name]));
        let known: Vec<Term> = names.chain(self.facts.iter().copied()).collect();
        let mut smt = (self.make)(&known.iter().chain(&core).copied().collect::<Vec<_>>());
        known.iter().for_each(|formula| smt.assert(*formula));
        let mut number = 0;
        while number < core.len() {
            let mut fewer = core.clone();
            fewer.remove(number);
            match smt.check_assuming(&fewer) {
                Answer::Unsat => {
                    let used: FxHashSet<Term> = smt.core().iter().copied().collect();
                    core = fewer.into_iter().filter(|formula| used.contains(formula)).collect();
                }
                _ => number += 1,
            }
        }
        core
    }

    /// How much some conditions are about: their number, and that of the names that they speak of. A counter that was counted up
    /// to its value is about more than a state that was set.
    pub fn size(&mut self, core: &[Term]) -> usize {
        core.len() + self.names(core).len()
    }

    /// The names that some conditions are about, with those that their values come from, whether they are defined or chosen.
    pub fn all_names(&mut self, core: &[Term]) -> FxHashSet<Term> {
        let defined = self.names(core);
        let values = defined.iter().map(|name| self.definitions[name]);
        let formulas: Vec<Term> = core.iter().copied().chain(values).collect();
        formulas.into_iter().flat_map(|formula| self.free.of(formula).to_vec()).collect()
    }

    /// The names that some formulas speak of, and those that their values speak of.
    fn names(&mut self, formulas: &[Term]) -> FxHashSet<Term> {
        let mut names = FxHashSet::default();
        let mut pending = formulas.to_vec();
        while let Some(formula) = pending.pop() {
            for name in self.free.of(formula).iter() {
                if let Some(value) = self.definitions.get(name)
                    && names.insert(*name)
                {
                    pending.push(*value);
                }
            }
        }
        names
    }

    /// A formula with values in the place of all names.
    pub fn in_full(&mut self, formula: Term) -> Term {
        let mut formula = formula;
        loop {
            let before = formula;
            formula = substitute(formula, |name| self.definitions.get(&name).copied());
            if formula == before {
                return formula;
            }
        }
    }

    /// Whether the facts tell if an atom about constants holds.
    pub fn is_decided(&mut self, atom: Term) -> bool {
        if self.facts.is_empty() || !self.free.of(atom).is_empty() {
            return false;
        }
        let known = &mut self.known;
        *self.decided.entry(atom).or_insert_with(|| {
            known.check_assuming(&[atom]) == Answer::Unsat || known.check_assuming(&[not(atom)]) == Answer::Unsat
        })
    }
}
