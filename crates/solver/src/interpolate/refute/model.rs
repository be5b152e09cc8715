//! The assignment that a search proposes, as the theories see it.
//!
//! Of the search's assignment only an implicant counts: literals that make every clause true. Theories are asked about
//! these alone, so that they do not refute what does not matter.

use super::atoms::Meaning;
use super::clauses::Clauses;
use super::lemma::Lemma;
use super::sat::{Lit, Var};
use arithmetic::Rational;
use arithmetic::simplex;
use arithmetic::terms::is_numeric;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use term::{Op, Term};

/// What a term is in a model.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Value {
    /// A rational and an infinitesimal part.
    Number(Rational, Rational),
    Truth(bool),
    /// All terms that are equal have one of them in common.
    Class(Term),
}

pub(super) struct Model {
    /// For each term its neighbours by true equations.
    neighbours: FxHashMap<Term, Vec<(Lit, Term)>>,
    /// The first term of each term's class.
    classes: FxHashMap<Term, Term>,
    differing: Vec<(Lit, Term, Term)>,
}

/// Literals of the search's assignment that make each clause true; `always` are variables whose value counts anyway.
pub(super) fn implicant(clauses: &Clauses, always: &[Var]) -> Vec<Lit> {
    let mut chosen: FxHashSet<Lit> = FxHashSet::default();
    let mut order: Vec<Lit> = Vec::new();
    let mut choose = |literal: Lit, chosen: &mut FxHashSet<Lit>| {
        if chosen.insert(literal) {
            order.push(literal);
        }
    };
    let cost = |literal: &Lit| match clauses.atoms.meaning(literal.var()) {
        Meaning::Proposition(_) => 0,
        Meaning::Gate => 1,
        Meaning::Equal(..) => 2,
        Meaning::Bound { .. } => 3,
    };
    for var in always {
        let positive = clauses.sat.value(Lit::new(*var, true)) == Some(true);
        choose(Lit::new(*var, positive), &mut chosen);
    }
    // What has no choice comes first, since it makes other clauses true too.
    let (units, others): (Vec<_>, Vec<_>) = clauses.given.iter().partition(|clause| clause.len() == 1);
    for clause in units.into_iter().chain(others) {
        if clause.iter().any(|literal| chosen.contains(literal)) {
            continue;
        }
        let holds = clause.iter().filter(|literal| clauses.sat.value(**literal) == Some(true));
        if let Some(literal) = holds.min_by_key(|literal| cost(literal)) {
            choose(*literal, &mut chosen);
        }
    }
    order
}

impl Model {
    /// The model of an implicant, or a lemma that excludes it.
    pub fn new(clauses: &mut Clauses, implicant: &[Lit]) -> Result<Model, Lemma> {
        let mut model =
            Model { neighbours: FxHashMap::default(), classes: FxHashMap::default(), differing: Vec::new() };
        for literal in implicant {
            if let Meaning::Equal(a, b) = clauses.atoms.meaning(literal.var()) {
                if literal.is_positive() {
                    model.neighbours.entry(*a).or_default().push((*literal, *b));
                    model.neighbours.entry(*b).or_default().push((*literal, *a));
                } else {
                    model.differing.push((*literal, *a, *b));
                }
            }
        }
        model.classify();
        if let Some(lemma) = model.contradiction() {
            return Err(lemma);
        }
        clauses.tableau.check(&clauses.atoms, implicant.iter().copied())?;
        Ok(model)
    }

    /// Finds the class of every term in an equation.
    fn classify(&mut self) {
        let mut terms: Vec<Term> = self.neighbours.keys().copied().collect();
        terms.sort_unstable();
        for start in terms {
            if self.classes.contains_key(&start) {
                continue;
            }
            let mut stack = vec![start];
            while let Some(term) = stack.pop() {
                if self.classes.insert(term, start).is_none() {
                    stack.extend(self.neighbours[&term].iter().map(|(_, other)| *other));
                }
            }
        }
    }

    pub fn class(&self, term: Term) -> Term {
        self.classes.get(&term).copied().unwrap_or(term)
    }

    fn contradiction(&self) -> Option<Lemma> {
        for (literal, a, b) in &self.differing {
            if self.class(*a) == self.class(*b) {
                return Some(Lemma::Path { steps: self.path(*a, *b), differ: Some(*literal) });
            }
        }
        // Different constants differ by themselves.
        let mut constants: FxHashMap<Term, Term> = FxHashMap::default();
        let mut terms: Vec<(&Term, &Term)> = self.classes.iter().filter(|(term, _)| term.value().is_some()).collect();
        terms.sort_unstable();
        for (constant, class) in terms {
            if let Some(other) = constants.insert(*class, *constant) {
                return Some(Lemma::Path { steps: self.path(other, *constant), differ: None });
            }
        }
        None
    }

    /// The shortest way from one term to another by equations.
    fn path(&self, from: Term, to: Term) -> Vec<(Lit, Term, Term)> {
        let mut came: FxHashMap<Term, (Lit, Term)> = FxHashMap::default();
        let mut queue = VecDeque::from([from]);
        while let Some(term) = queue.pop_front() {
            if term == to {
                break;
            }
            for (literal, next) in &self.neighbours[&term] {
                if *next != from && !came.contains_key(next) {
                    came.insert(*next, (*literal, term));
                    queue.push_back(*next);
                }
            }
        }
        let mut steps = Vec::new();
        let mut at = to;
        while at != from {
            let (literal, before) = came[&at];
            steps.push((literal, before, at));
            at = before;
        }
        steps.reverse();
        steps
    }

    /// What a term is. `None` if the model does not say.
    pub fn value(&self, clauses: &mut Clauses, term: Term) -> Option<Value> {
        if is_numeric(term) {
            let sum = clauses.atoms.sums.of(term);
            let (mut standard, mut infinitesimal) = (sum.constant.clone(), Rational::ZERO);
            for (column, factor) in &sum.columns {
                let simplex::Value { standard: s, infinitesimal: i } = clauses.tableau.value(*column)?;
                standard = standard.plus(&s.times(factor));
                infinitesimal = infinitesimal.plus(&i.times(factor));
            }
            return Some(Value::Number(standard, infinitesimal));
        }
        if !term.sort().is_bool() {
            return Some(Value::Class(self.class(term)));
        }
        match term.op() {
            Op::Const(value) => value.as_bool().map(Value::Truth),
            _ => {
                let literal = clauses.atoms.known_proposition(term)?;
                clauses.sat.value(literal).map(Value::Truth)
            }
        }
    }
}
