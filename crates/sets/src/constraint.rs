//! Linear constraints.

use crate::Variable;
use arithmetic::{Rational, Sum, terms};
use term::Term;

/// How a sum compares with zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Relation {
    /// `sum = 0`
    Zero,
    /// `sum <= 0`
    AtMostZero,
    /// `sum < 0`
    BelowZero,
}

impl Relation {
    pub fn holds(self, sum: &Rational) -> bool {
        match self {
            Relation::Zero => sum.is_zero(),
            Relation::AtMostZero => !sum.is_positive(),
            Relation::BelowZero => sum.is_negative(),
        }
    }

    /// The constraint as a term.
    pub(crate) fn to_term(self, sum: &Sum<Term>) -> Term {
        match self {
            Relation::Zero => terms::zero(sum),
            Relation::AtMostZero => terms::at_most_zero(sum, false),
            Relation::BelowZero => terms::at_most_zero(sum, true),
        }
    }
}

/// A linear constraint.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Constraint {
    pub sum: Sum<Variable>,
    pub relation: Relation,
}

impl Constraint {
    /// `sum = 0`
    pub fn zero(sum: Sum<Variable>) -> Constraint {
        Constraint { sum, relation: Relation::Zero }
    }

    /// `sum <= 0`
    pub fn at_most_zero(sum: Sum<Variable>) -> Constraint {
        Constraint { sum, relation: Relation::AtMostZero }
    }

    /// `sum < 0`
    pub fn below_zero(sum: Sum<Variable>) -> Constraint {
        Constraint { sum, relation: Relation::BelowZero }
    }

    /// The constraints, of which one holds exactly where this one does not.
    pub(crate) fn negations(&self) -> Vec<Constraint> {
        let opposite = self.sum.times(&Rational::from(-1));
        match self.relation {
            Relation::Zero => vec![Constraint::below_zero(self.sum.clone()), Constraint::below_zero(opposite)],
            Relation::AtMostZero => vec![Constraint::below_zero(opposite)],
            Relation::BelowZero => vec![Constraint::at_most_zero(opposite)],
        }
    }

    pub fn holds(&self, of: impl FnMut(Variable) -> Rational) -> bool {
        self.relation.holds(&self.sum.value(of))
    }

    /// The constraint as a term, where `name` gives the term of each variable.
    pub fn to_term(&self, name: &dyn Fn(Variable) -> Term) -> Term {
        self.relation.to_term(&self.sum.map(name))
    }
}
