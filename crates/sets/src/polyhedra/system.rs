//! Conjunctions of linear constraints over the rationals: their canonical form, and questions to the simplex.

use crate::{Constraint, Relation, Variable};
use arithmetic::simplex::{Side, Simplex, Value};
use arithmetic::{Rational, Sum};
use limits::{Exceeded, Limits};
use std::collections::BTreeMap;
use std::time::Instant;

/// What is asked about a constraint's sum.
#[derive(Clone, Copy)]
pub enum Ask {
    Holds(Relation),
    /// `sum > 0`
    Above,
    /// `sum >= 0`
    AtLeast,
}

impl Ask {
    /// What has to hold where a constraint that is no equation does not.
    pub fn opposite(relation: Relation) -> Ask {
        match relation {
            Relation::Zero => unreachable!("the opposite of an equation is no single constraint"),
            Relation::AtMostZero => Ask::Above,
            Relation::BelowZero => Ask::AtLeast,
        }
    }
}

/// A tableau for questions about the same sums.
pub struct System<'a> {
    simplex: Simplex<()>,
    columns: BTreeMap<Variable, usize>,
    /// For each sum its variable in the tableau, and its constant.
    forms: Vec<(usize, &'a Rational)>,
    limits: &'a Limits,
}

impl<'a> System<'a> {
    pub fn new(sums: impl IntoIterator<Item = &'a Sum<Variable>>, limits: &'a Limits) -> System<'a> {
        let (mut simplex, mut columns, mut forms) = (Simplex::new(), BTreeMap::new(), Vec::new());
        for sum in sums {
            let mut parts = Vec::with_capacity(sum.columns.len());
            for (variable, factor) in &sum.columns {
                let column = *columns.entry(*variable).or_insert_with(|| simplex.column());
                parts.push((column, factor.clone()));
            }
            forms.push((simplex.form(&parts), &sum.constant));
        }
        System { simplex, columns, forms, limits }
    }

    /// Whether some point answers all questions; each names a sum by its number.
    pub fn feasible(&mut self, questions: impl IntoIterator<Item = (usize, Ask)>) -> Result<bool, Exceeded> {
        if let Some(exceeded) = self.limits.stopped(Instant::now()) {
            return Err(exceeded);
        }
        self.simplex.clear();
        for (number, ask) in questions {
            let (form, constant) = &self.forms[number];
            let (lower, upper) = match ask {
                Ask::Holds(Relation::Zero) => (Some(0), Some(0)),
                Ask::Holds(Relation::AtMostZero) => (None, Some(0)),
                Ask::Holds(Relation::BelowZero) => (None, Some(-1)),
                Ask::Above => (Some(1), None),
                Ask::AtLeast => (Some(0), None),
            };
            for (side, infinitesimal) in [(Side::Lower, lower), (Side::Upper, upper)] {
                let Some(infinitesimal) = infinitesimal else { continue };
                let value = Value::new(constant.negated(), infinitesimal);
                if self.simplex.bound(*form, side, value, ()).is_err() {
                    return Ok(false);
                }
            }
        }
        Ok(self.simplex.check().is_ok())
    }

    /// Whether the last point is strictly below zero.
    fn is_below(&self, number: usize) -> bool {
        let (form, constant) = &self.forms[number];
        let Value { standard, infinitesimal } = self.simplex.value(*form);
        let standard = standard.plus(constant);
        standard.is_negative() || standard.is_zero() && infinitesimal.is_negative()
    }

    /// The last point, with a positive number in the place of the infinitely small one that all constraints allow.
    pub fn point(&self, constraints: &[Constraint]) -> BTreeMap<Variable, Rational> {
        let mut small = Rational::ONE;
        loop {
            let value = |column: &usize| {
                let Value { standard, infinitesimal } = self.simplex.value(*column);
                standard.plus(&infinitesimal.times(&small))
            };
            let point: BTreeMap<Variable, Rational> = self.columns.iter().map(|(v, c)| (*v, value(c))).collect();
            if constraints.iter().all(|constraint| constraint.holds(|v| point[&v].clone())) {
                return point;
            }
            small = small.over(&Rational::from(2));
        }
    }
}

/// Equations solved for variables that occur nowhere else, and inequalities without superfluous factors.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Canonical {
    /// Variables and what they are equal to.
    pub equations: BTreeMap<Variable, Sum<Variable>>,
    /// The tightest constant for each sum of columns, and whether it is strict.
    inequalities: BTreeMap<Vec<(Variable, Rational)>, (Rational, bool)>,
}

impl Canonical {
    /// `None` if a constraint contradicts the others in plain sight.
    pub fn new(constraints: impl IntoIterator<Item = Constraint>) -> Option<Canonical> {
        let (equations, inequalities): (Vec<_>, Vec<_>) =
            constraints.into_iter().partition(|constraint| constraint.relation == Relation::Zero);
        let mut canonical = Canonical::default();
        for equation in equations {
            let sum = canonical.reduce(equation.sum);
            let Some((variable, factor)) = sum.columns.first().cloned() else {
                if sum.constant.is_zero() {
                    continue;
                }
                return None;
            };
            let solved = Sum::column(variable).minus(&sum.times(&Rational::ONE.over(&factor)));
            for other in canonical.equations.values_mut() {
                *other = other.substitute(variable, &solved);
            }
            canonical.equations.insert(variable, solved);
        }
        for inequality in inequalities {
            let sum = canonical.reduce(inequality.sum);
            if sum.columns.is_empty() {
                if inequality.relation.holds(&sum.constant) {
                    continue;
                }
                return None;
            }
            let Sum { columns, constant } = sum.times(&sum.scale());
            let bound = (constant, inequality.relation == Relation::BelowZero);
            let tightest = canonical.inequalities.entry(columns).or_insert_with(|| bound.clone());
            if *tightest < bound {
                *tightest = bound;
            }
        }
        Some(canonical)
    }

    fn reduce(&self, sum: Sum<Variable>) -> Sum<Variable> {
        // What equations put in does not contain a variable that they are solved for.
        let solved = |(variable, _): &(Variable, Rational)| Some((*variable, self.equations.get(variable)?));
        let replacements: Vec<_> = sum.columns.iter().filter_map(solved).collect();
        replacements.into_iter().fold(sum, |sum, (variable, replacement)| sum.substitute(variable, replacement))
    }

    pub fn inequalities(&self) -> Vec<Constraint> {
        let constraint = |(columns, (constant, strict)): (&Vec<(Variable, Rational)>, &(Rational, bool))| Constraint {
            sum: Sum { columns: columns.clone(), constant: constant.clone() },
            relation: if *strict { Relation::BelowZero } else { Relation::AtMostZero },
        };
        self.inequalities.iter().map(constraint).collect()
    }

    pub fn constraints(&self) -> Vec<Constraint> {
        let equation = |(variable, sum): (&Variable, &Sum<Variable>)| {
            let sum = Sum::column(*variable).minus(sum);
            Constraint::zero(sum.times(&sum.scale()))
        };
        self.equations.iter().map(equation).chain(self.inequalities()).collect()
    }

    /// The same set without redundant constraints, with all equations that inequalities imply; `None` if it is empty.
    pub fn minimise(mut self, limits: &Limits) -> Result<Option<Canonical>, Exceeded> {
        loop {
            let inequalities = self.inequalities();
            let mut system = System::new(inequalities.iter().map(|c| &c.sum), limits);
            let all = |n: usize, constraint: &Constraint| (n, Ask::Holds(constraint.relation));
            if !system.feasible(inequalities.iter().enumerate().map(|(n, c)| all(n, c)))? {
                return Ok(None);
            }
            // An inequality that no point satisfies strictly is an equation.
            let mut slack: Vec<bool> = (0..inequalities.len()).map(|n| system.is_below(n)).collect();
            let mut equations = Vec::new();
            for n in 0..inequalities.len() {
                if slack[n] {
                    continue;
                }
                let others = inequalities.iter().enumerate().map(|(n, c)| all(n, c));
                if system.feasible(others.chain([(n, Ask::Holds(Relation::BelowZero))]))? {
                    slack.iter_mut().enumerate().for_each(|(n, slack)| *slack |= system.is_below(n));
                } else {
                    equations.push(n);
                }
            }
            if equations.is_empty() {
                return Ok(Some(self.without_redundant(&inequalities, system)?));
            }
            let found = equations.into_iter().map(|n| Constraint::zero(inequalities[n].sum.clone()));
            match Canonical::new(found.chain(self.constraints())) {
                Some(tighter) => self = tighter,
                None => return Ok(None),
            }
        }
    }

    fn without_redundant(mut self, inequalities: &[Constraint], mut system: System) -> Result<Canonical, Exceeded> {
        let mut kept = vec![true; inequalities.len()];
        for n in 0..inequalities.len() {
            kept[n] = false;
            let others = (0..inequalities.len()).filter(|m| kept[*m]);
            let others = others.map(|m| (m, Ask::Holds(inequalities[m].relation)));
            let needed = system.feasible(others.chain([(n, Ask::opposite(inequalities[n].relation))]))?;
            kept[n] = needed;
            if !needed {
                self.inequalities.remove(&inequalities[n].sum.columns);
            }
        }
        Ok(self)
    }
}
