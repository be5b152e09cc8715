//! Interpolants from our own refutations: linear arithmetic, equality, uninterpreted functions and arrays.
//!
//! The Boolean structure of all groups is refuted by a satisfiability solver that keeps its proof. Assignments that it
//! proposes are shown to the theories, which answer with lemmas: linear arithmetic with factors that add constraints up to
//! falsehood (Farkas), equality with a path. What the theories do not look into is described by axioms. The proof, with
//! lemmas and the groups' clauses at its leaves, gives the interpolants of all cuts.
//!
//! Every atom comes from one group, so no lemma mixes symbols that no cut allows together.

mod atoms;
mod axioms;
mod clauses;
mod heap;
mod label;
mod lemma;
mod model;
mod sat;
mod tableau;

use super::Vocabulary;
use crate::{Limits, Unknown};
use arithmetic::{Rational, Sum};
use atoms::Signed;
use axioms::Axioms;
use clauses::Clauses;
use lemma::Lemma;
use model::Model;
use sat::{Lit, Outcome, Var};
use tableau::Tableau;
use term::Term;

/// More conflicts than this in one search, or more proposed assignments, are a sign that another way is better.
const CONFLICTS: u64 = 20_000;
const ROUNDS: usize = 5_000;
/// How often a variable may be split between two integers.
const BRANCHES: usize = 40;

/// The interpolants of groups of conjuncts. The vocabulary may be that of longer formulas. `Ok(None)` if the groups
/// could not be refuted in this way.
pub(super) fn interpolate(
    groups: &[Vec<Term>],
    vocabulary: &Vocabulary,
    limits: &Limits,
) -> Result<Option<Vec<Term>>, Unknown> {
    let mut refuter = Refuter::new(groups.len(), vocabulary);
    for (group, conjuncts) in groups.iter().enumerate() {
        for conjunct in conjuncts {
            refuter.clauses.formula(*conjunct, group);
        }
    }
    for _ in 0..ROUNDS {
        if let Some(exceeded) = limits.exceeded() {
            return Err(exceeded.into());
        }
        refuter.axioms.describe(&mut refuter.clauses);
        refuter.order_bounds();
        match refuter.clauses.sat.solve(CONFLICTS) {
            Outcome::Refuted(empty) => return Ok(Some(label::interpolants(&refuter.clauses, empty, groups.len()))),
            Outcome::Model if refuter.refine() => {}
            Outcome::Model | Outcome::GaveUp => return Ok(None),
        }
    }
    Ok(None)
}

struct Refuter<'a> {
    clauses: Clauses,
    axioms: Axioms<'a>,
    vocabulary: &'a Vocabulary,
    /// The constraints of each group alone.
    tableaux: Vec<Tableau>,
    /// Bounds whose values count even where no clause needs them: they split a variable between two integers, or are
    /// interfaces between groups.
    always: Vec<Var>,
    branches: usize,
}

impl<'a> Refuter<'a> {
    fn new(groups: usize, vocabulary: &'a Vocabulary) -> Refuter<'a> {
        Refuter {
            clauses: Clauses::new(),
            axioms: Axioms::new(vocabulary),
            vocabulary,
            tableaux: (0..groups).map(|_| Tableau::new()).collect(),
            always: Vec::new(),
            branches: 0,
        }
    }

    /// Adds what excludes the proposed assignment. Whether there is anything.
    fn refine(&mut self) -> bool {
        let implicant = model::implicant(&self.clauses, &self.always);
        let within = self.within_groups(&implicant);
        if !within.is_empty() {
            within.into_iter().for_each(|lemma| self.clauses.lemma(lemma));
            return true;
        }
        match Model::new(&mut self.clauses, &implicant) {
            Err(lemma) => {
                self.add(lemma);
                true
            }
            Ok(model) => {
                self.branch() || (self.axioms.congruence(&mut self.clauses, &model) && !self.axioms.exhausted())
            }
        }
    }

    /// Lemmas that exclude what literals say within each group.
    fn within_groups(&mut self, implicant: &[Lit]) -> Vec<Lemma> {
        // Without interfaces, groups hardly contradict themselves: that would have been noticed before.
        if self.always.is_empty() {
            return Vec::new();
        }
        let mut literals: Vec<Vec<Lit>> = vec![Vec::new(); self.tableaux.len()];
        for literal in implicant {
            let (first, last) = self.clauses.span(literal.var());
            literals[first..=last].iter_mut().for_each(|group| group.push(*literal));
        }
        let checks = self.tableaux.iter_mut().zip(literals);
        checks.filter_map(|(tableau, literals)| tableau.check(&self.clauses.atoms, literals).err()).collect()
    }

    /// Adds a lemma. If it spans groups and depends on choices of the search, it is divided at each cut by what the past
    /// says to the future: lemmas of single groups exclude many assignments, one of the whole only this one.
    fn add(&mut self, lemma: Lemma) {
        let parts = match &lemma {
            Lemma::Linear(constraints) if !constraints.iter().all(|(l, _)| self.clauses.sat.is_fixed(*l)) => {
                lemma::divide(&mut self.clauses, constraints)
            }
            _ => None,
        };
        let Some((parts, interfaces)) = parts else { return self.clauses.lemma(lemma) };
        for (literal, cut) in interfaces {
            self.clauses.occurs(literal.var(), cut);
            self.clauses.occurs(literal.var(), cut + 1);
            if !self.always.contains(&literal.var()) {
                self.always.push(literal.var());
            }
        }
        parts.into_iter().for_each(|part| self.clauses.lemma(part));
    }

    /// Splits an integer column that has a fraction for a value. Whether there is one.
    fn branch(&mut self) -> bool {
        let Some((column, value)) = self.clauses.tableau.fractional() else { return false };
        let (group, last) = self.vocabulary.alive(&[column]);
        if self.branches >= BRANCHES || group > last {
            return false;
        }
        let sum = Sum { columns: vec![(column, Rational::ONE)], constant: value.floor().negated() };
        let Signed::Literal(literal) = self.clauses.atoms.at_most_zero(&mut self.clauses.sat, &sum, false) else {
            return false;
        };
        self.branches += 1;
        self.always.push(literal.var());
        self.clauses.occurs(literal.var(), group);
        true
    }

    /// Says of neighbouring bounds of a form which implies which, so that the search need not find it out by lemmas.
    fn order_bounds(&mut self) {
        let mut lemmas = Vec::new();
        for form in &mut self.clauses.atoms.forms {
            for pair in 1..form.bounds.len() {
                let (weaker, stronger) = (form.bounds[pair].2, form.bounds[pair - 1].2);
                if form.ordered.insert((stronger, weaker)) {
                    lemmas.push([Lit::new(stronger, true), Lit::new(weaker, false)]);
                }
            }
        }
        for [stronger, weaker] in lemmas {
            self.clauses.lemma(Lemma::Linear(vec![(stronger, Rational::ONE), (weaker, Rational::ONE)]));
        }
    }
}
