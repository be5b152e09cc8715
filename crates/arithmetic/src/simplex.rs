//! Linear constraints over the rationals, with Farkas certificates.
//!
//! Every linear form has a variable of its own: columns are variables, and a form of several columns is a further
//! variable that a row of the tableau defines. Constraints are bounds of variables. Bounds come and go with each question; rows
//! and the last assignment stay, so that similar questions are cheap. (Dutertre and de Moura, "A fast linear-arithmetic solver
//! for DPLL(T)", 2006.)
//!
//! Invariants: a row's variable (basic) has the value that its row gives; variables without a row (free) keep within
//! their bounds.

use crate::Rational;
use std::cmp::Ordering;
use std::collections::BTreeMap;

pub type Variable = usize;

/// A rational, and a multiple of an infinitely small positive number for strict bounds.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Value {
    pub standard: Rational,
    pub infinitesimal: Rational,
}

impl Value {
    pub fn new(standard: Rational, infinitesimal: i64) -> Value {
        Value { standard, infinitesimal: infinitesimal.into() }
    }

    fn plus(&self, other: &Value) -> Value {
        Value {
            standard: self.standard.plus(&other.standard),
            infinitesimal: self.infinitesimal.plus(&other.infinitesimal),
        }
    }

    fn times(&self, factor: &Rational) -> Value {
        let infinitesimal =
            if self.infinitesimal.is_zero() { Rational::ZERO } else { self.infinitesimal.times(factor) };
        Value { standard: self.standard.times(factor), infinitesimal }
    }

    fn minus(&self, other: &Value) -> Value {
        self.plus(&other.times(&Rational::from(-1)))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    Lower,
    Upper,
}

/// Constraints that contradict each other: each with the positive factor by which it is to be multiplied so that all of them
/// add up to falsehood.
pub type Certificate<R> = Vec<(R, Rational)>;

/// A bound and the constraint that it comes from.
type Bound<R> = Option<(Value, R)>;

/// The tableau; `R` names constraints.
pub struct Simplex<R> {
    values: Vec<Value>,
    lower: Vec<Bound<R>>,
    upper: Vec<Bound<R>>,
    /// The row of a basic variable.
    row_of: Vec<Option<usize>>,
    rows: Vec<Row>,
    /// Variables that have bounds now.
    bounded: Vec<Variable>,
}

/// A basic variable as a sum of free ones, sorted by variable.
struct Row {
    variable: Variable,
    sum: Vec<(Variable, Rational)>,
}

impl<R> Default for Simplex<R> {
    fn default() -> Simplex<R> {
        Simplex {
            values: Vec::new(),
            lower: Vec::new(),
            upper: Vec::new(),
            row_of: Vec::new(),
            rows: Vec::new(),
            bounded: Vec::new(),
        }
    }
}

impl<R: Copy> Simplex<R> {
    pub fn new() -> Simplex<R> {
        Simplex::default()
    }

    /// A new variable without constraints.
    pub fn column(&mut self) -> Variable {
        self.values.push(Value::new(Rational::ZERO, 0));
        self.lower.push(None);
        self.upper.push(None);
        self.row_of.push(None);
        self.values.len() - 1
    }

    /// A new variable for a sum of others, each of which occurs once.
    pub fn form(&mut self, sum: &[(Variable, Rational)]) -> Variable {
        let variable = self.column();
        let mut expanded: BTreeMap<Variable, Rational> = BTreeMap::new();
        for (part, factor) in sum {
            match self.row_of[*part] {
                None => accumulate(&mut expanded, *part, factor.clone()),
                Some(row) => {
                    for (free, inner) in &self.rows[row].sum {
                        accumulate(&mut expanded, *free, inner.times(factor));
                    }
                }
            }
        }
        let sum: Vec<(Variable, Rational)> = expanded.into_iter().filter(|(_, factor)| !factor.is_zero()).collect();
        self.values[variable] = self.value_of(&sum);
        self.row_of[variable] = Some(self.rows.len());
        self.rows.push(Row { variable, sum });
        variable
    }

    pub fn value(&self, variable: Variable) -> &Value {
        &self.values[variable]
    }

    fn value_of(&self, sum: &[(Variable, Rational)]) -> Value {
        let nothing = Value::new(Rational::ZERO, 0);
        sum.iter().fold(nothing, |total, (v, factor)| total.plus(&self.values[*v].times(factor)))
    }

    /// Forgets all bounds.
    pub fn clear(&mut self) {
        for variable in self.bounded.drain(..) {
            self.lower[variable] = None;
            self.upper[variable] = None;
        }
    }

    /// Adds a bound, which `reason` stands for.
    pub fn bound(&mut self, variable: Variable, side: Side, value: Value, reason: R) -> Result<(), Certificate<R>> {
        let (same, opposite) = match side {
            Side::Lower => (&self.lower[variable], &self.upper[variable]),
            Side::Upper => (&self.upper[variable], &self.lower[variable]),
        };
        let order = match side {
            Side::Lower => Ordering::Greater,
            Side::Upper => Ordering::Less,
        };
        if same.as_ref().is_some_and(|(known, _)| value.cmp(known) != order) {
            return Ok(());
        }
        if let Some((known, other)) = opposite
            && value.cmp(known) == order
        {
            return Err(vec![(*other, Rational::ONE), (reason, Rational::ONE)]);
        }
        let outside = self.values[variable].cmp(&value) == order.reverse();
        match side {
            Side::Lower => self.lower[variable] = Some((value.clone(), reason)),
            Side::Upper => self.upper[variable] = Some((value.clone(), reason)),
        }
        self.bounded.push(variable);
        if outside && self.row_of[variable].is_none() {
            self.update(variable, value);
        }
        Ok(())
    }

    /// Moves a free variable and what depends on it.
    fn update(&mut self, free: Variable, value: Value) {
        let change = value.minus(&self.values[free]);
        for row in &self.rows {
            if let Some(factor) = row.factor(free) {
                self.values[row.variable] = self.values[row.variable].plus(&change.times(factor));
            }
        }
        self.values[free] = value;
    }

    /// Looks for values within all bounds.
    pub fn check(&mut self) -> Result<(), Certificate<R>> {
        loop {
            // Always taking the first variable that is out of bounds, and the first that can help, ends.
            let Some((row, below)) = self.violated() else { return Ok(()) };
            let basic = self.rows[row].variable;
            let helper =
                self.rows[row].sum.iter().find(|(free, factor)| {
                    let up = below == factor.is_positive();
                    let limit = if up { &self.upper[*free] } else { &self.lower[*free] };
                    limit.as_ref().is_none_or(|(bound, _)| {
                        if up { self.values[*free] < *bound } else { self.values[*free] > *bound }
                    })
                });
            let bound = if below { &self.lower[basic] } else { &self.upper[basic] };
            let (target, reason) = bound.clone().expect("a violated bound exists");
            match helper {
                Some((free, _)) => self.pivot_and_update(row, *free, target),
                None => return Err(self.certificate(row, below, reason)),
            }
        }
    }

    /// The row of the first variable that is out of bounds, and whether it is below.
    fn violated(&self) -> Option<(usize, bool)> {
        let candidates = self.rows.iter().enumerate().filter_map(|(n, row)| {
            let value = &self.values[row.variable];
            if self.lower[row.variable].as_ref().is_some_and(|(bound, _)| value < bound) {
                Some((row.variable, n, true))
            } else if self.upper[row.variable].as_ref().is_some_and(|(bound, _)| value > bound) {
                Some((row.variable, n, false))
            } else {
                None
            }
        });
        candidates.min().map(|(_, row, below)| (row, below))
    }

    /// Why the row's variable cannot get within its bound: every variable of the sum is at the bound that stops it.
    fn certificate(&self, row: usize, below: bool, reason: R) -> Certificate<R> {
        let mut certificate = vec![(reason, Rational::ONE)];
        for (free, factor) in &self.rows[row].sum {
            let bound = if below == factor.is_positive() { &self.upper[*free] } else { &self.lower[*free] };
            let (_, reason) = bound.as_ref().expect("what stops a variable is a bound");
            certificate.push((*reason, factor.absolute()));
        }
        certificate
    }

    /// Makes the row's variable free at the value, and the free variable basic.
    fn pivot_and_update(&mut self, row: usize, free: Variable, value: Value) {
        let basic = self.rows[row].variable;
        let factor = self.rows[row].factor(free).expect("the free variable is in the row").clone();
        let change = value.minus(&self.values[basic]).times(&Rational::ONE.over(&factor));
        self.values[basic] = value;
        self.values[free] = self.values[free].plus(&change);
        for (n, other) in self.rows.iter().enumerate() {
            if n != row
                && let Some(inner) = other.factor(free)
            {
                self.values[other.variable] = self.values[other.variable].plus(&change.times(inner));
            }
        }
        self.pivot(row, free, &factor);
    }

    fn pivot(&mut self, row: usize, free: Variable, factor: &Rational) {
        let basic = self.rows[row].variable;
        // basic = factor * free + rest becomes free = basic / factor - rest / factor.
        let inverse = Rational::ONE.over(factor);
        let minus = inverse.negated();
        let mut sum: Vec<(Variable, Rational)> = std::mem::take(&mut self.rows[row].sum)
            .into_iter()
            .filter(|(v, _)| *v != free)
            .map(|(v, f)| (v, f.times(&minus)))
            .collect();
        let at = sum.partition_point(|(v, _)| *v < basic);
        sum.insert(at, (basic, inverse));
        for other in 0..self.rows.len() {
            if other != row
                && let Some(inner) = self.rows[other].factor(free).cloned()
            {
                let combined = combine(&self.rows[other].sum, free, &inner, &sum);
                self.rows[other].sum = combined;
            }
        }
        self.rows[row] = Row { variable: free, sum };
        self.row_of[basic] = None;
        self.row_of[free] = Some(row);
    }
}

impl Row {
    fn factor(&self, variable: Variable) -> Option<&Rational> {
        self.sum.binary_search_by_key(&variable, |(v, _)| *v).ok().map(|at| &self.sum[at].1)
    }
}

/// `sum` with `variable`, whose factor is `factor`, replaced by `replacement`. All are sorted.
fn combine(
    sum: &[(Variable, Rational)],
    variable: Variable,
    factor: &Rational,
    replacement: &[(Variable, Rational)],
) -> Vec<(Variable, Rational)> {
    let mut result = Vec::with_capacity(sum.len() + replacement.len());
    let mut left = sum.iter().filter(|(v, _)| *v != variable).peekable();
    let mut right = replacement.iter().peekable();
    loop {
        let (v, total) = match (left.peek(), right.peek()) {
            (None, None) => return result,
            (Some((v, f)), None) => {
                left.next();
                (*v, f.clone())
            }
            (Some((v, f)), Some((w, _))) if v < w => {
                left.next();
                (*v, f.clone())
            }
            (Some((v, f)), Some((w, g))) if v == w => {
                left.next();
                right.next();
                (*v, f.plus(&g.times(factor)))
            }
            (_, Some((w, g))) => {
                right.next();
                (*w, g.times(factor))
            }
        };
        if !total.is_zero() {
            result.push((v, total));
        }
    }
}

fn accumulate(sum: &mut BTreeMap<Variable, Rational>, variable: Variable, factor: Rational) {
    sum.entry(variable).and_modify(|total| *total = total.plus(&factor)).or_insert(factor);
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::random::Random;

    /// Random small systems: an answer is an assignment within all bounds or a certificate that adds up to falsehood.
    #[test]
    fn answers_are_certified() {
        let (mut feasible, mut infeasible) = (0, 0);
        for seed in 0..3000 {
            let mut random = Random::new(seed);
            let mut simplex: Simplex<usize> = Simplex::new();
            let columns: Vec<Variable> = (0..4).map(|_| simplex.column()).collect();
            let number =
                |random: &mut Random, range: usize| Rational::from(random.below(2 * range + 1) as i64 - range as i64);
            let forms: Vec<(Variable, Vec<(Variable, Rational)>)> = (0..5)
                .map(|_| {
                    let mut sum: Vec<(Variable, Rational)> =
                        columns.iter().map(|c| (*c, number(&mut random, 2))).collect();
                    sum.retain(|(_, factor)| !factor.is_zero());
                    (simplex.form(&sum), sum)
                })
                .collect();
            for _ in 0..4 {
                simplex.clear();
                let mut constraints: Vec<(usize, Side, Value)> = Vec::new();
                let mut answer = Ok(());
                for n in 0..8 {
                    let form = random.below(forms.len());
                    let side = if random.once_in(2) { Side::Lower } else { Side::Upper };
                    let inward = if random.once_in(3) { 1 } else { 0 };
                    let small = if side == Side::Lower { inward } else { -inward };
                    let value = Value::new(number(&mut random, 4), small);
                    constraints.push((form, side, value.clone()));
                    answer = answer.and_then(|()| simplex.bound(forms[form].0, side, value, n));
                }
                match answer.and_then(|()| simplex.check()) {
                    Ok(()) => {
                        feasible += 1;
                        for (form, side, bound) in &constraints {
                            let value = simplex.value_of(&forms[*form].1);
                            assert_eq!(&value, simplex.value(forms[*form].0));
                            assert!(if *side == Side::Lower { value >= *bound } else { value <= *bound });
                        }
                    }
                    Err(certificate) => {
                        infeasible += 1;
                        falsehood(&forms, &constraints, &certificate);
                    }
                }
            }
        }
        assert!(feasible > 500 && infeasible > 500, "{feasible} feasible, {infeasible} not");
    }

    /// Adds constraints up, each as `sum <= value`: all columns cancel and a negative value is left.
    fn falsehood(
        forms: &[(Variable, Vec<(Variable, Rational)>)],
        constraints: &[(usize, Side, Value)],
        certificate: &[(usize, Rational)],
    ) {
        let mut total: BTreeMap<Variable, Rational> = BTreeMap::new();
        let mut limit = Value::new(Rational::ZERO, 0);
        for (n, factor) in certificate {
            assert!(factor.is_positive());
            let (form, side, value) = &constraints[*n];
            let factor = if *side == Side::Lower { factor.negated() } else { factor.clone() };
            for (column, inner) in &forms[*form].1 {
                accumulate(&mut total, *column, inner.times(&factor));
            }
            limit = limit.plus(&value.times(&factor));
        }
        assert!(total.values().all(Rational::is_zero), "{total:?}");
        assert!(limit < Value::new(Rational::ZERO, 0), "{limit:?}");
    }
}
