//! Predicates, and regions as Boolean functions of them.
//!
//! A region is a binary decision diagram whose variables are predicates; it stands for the formula that it is of them.
//! Entailment between diagrams implies entailment between formulas, and is what coverage tests.

use rustc_hash::FxHashMap;
use sets::bdd::{Bdd, Bdds, Full};
use term::Term;
use term::build::{falsehood, ite, truth};

/// A predicate's number.
pub type PredicateId = u32;

/// All predicates that were found, and the diagrams over them.
#[derive(Default)]
pub struct Predicates {
    terms: Vec<Term>,
    /// The variables of each.
    variables: Vec<Vec<Term>>,
    numbers: FxHashMap<Term, PredicateId>,
    bdds: Bdds,
    formulas: FxHashMap<Bdd, Term>,
}

impl Predicates {
    /// The number of a predicate: a formula over program variables.
    pub fn number(&mut self, formula: Term) -> PredicateId {
        *self.numbers.entry(formula).or_insert_with(|| {
            self.terms.push(formula);
            self.variables.push(term::free::variables([formula]));
            self.terms.len() as PredicateId - 1
        })
    }

    pub fn term(&self, id: PredicateId) -> Term {
        self.terms[id as usize]
    }

    pub fn variables(&self, id: PredicateId) -> &[Term] {
        &self.variables[id as usize]
    }

    pub fn count(&self) -> usize {
        self.terms.len()
    }

    pub fn everything(&self) -> Bdd {
        self.bdds.constant(true)
    }

    pub fn nothing(&self) -> Bdd {
        self.bdds.constant(false)
    }

    pub fn literal(&mut self, id: PredicateId, positive: bool) -> Result<Bdd, Full> {
        let variable = self.bdds.variable(id)?;
        if positive { Ok(variable) } else { variable.not() }
    }

    /// The formula that a region stands for.
    pub fn formula(&mut self, region: &Bdd) -> Term {
        if region.is_true() {
            return truth();
        }
        if region.is_false() {
            return falsehood();
        }
        if let Some(known) = self.formulas.get(region) {
            return *known;
        }
        // The depth is bounded by the number of predicates.
        let (predicate, high, low) = region.split().expect("a diagram that is not constant");
        let (high, low) = (self.formula(&high), self.formula(&low));
        let formula = ite(self.term(predicate), high, low);
        self.formulas.insert(region.clone(), formula);
        formula
    }
}
