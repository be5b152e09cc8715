//! One disjunct of an abstract disjunctive linear constraint (Section 4), in solved form.
//!
//! The paper's `exists U. c_1 and ... and c_n` over an entry valuation x and a current valuation x' is kept as `x =
//! E(s)`, `x' = F(s)` and `C(s)`, with symbols s that are quantified. So an assignment replaces one sum, and only
//! conditions make constraints. A symbol that no valuation mentions is eliminated where Fourier-Motzkin elimination
//! is exact over the integers; else it stays, quantified.
//!
//! Invariants: factors and constants of all sums are integers; no constraint is constant; constraints have factors
//! without a common divisor, and of constraints with the same factors only the strongest is kept.

use arithmetic::{Rational, Sum};
use rustc_hash::{FxHashMap, FxHashSet};
use sets::{Constraint, Relation, Variable};
use term::Term;

/// A sum of symbols.
pub type Expression = Sum<Variable>;

/// How an atomic condition was decided: below zero, zero, above zero; or false and true.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    Less,
    Equal,
    Greater,
    False,
    True,
}

/// A set of path edges: pairs of an entry and a current valuation. What has no sum may have any value.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Disjunct {
    /// The values of globals and parameters when the procedure was entered.
    pub entry: Vec<Option<Expression>>,
    /// The values of all variables in scope.
    pub values: Vec<Option<Expression>>,
    pub constraints: Vec<Constraint>,
    /// The next new symbol.
    next: Variable,
    /// Sums of an evaluation that is going on; they are kept up to date like values.
    pub stack: Vec<Expression>,
    /// What terms are, within one statement.
    pub known: Vec<(Term, Expression)>,
    /// The decisions of the statement that is being executed.
    pub outcomes: Vec<Outcome>,
}

impl Disjunct {
    /// The identity on the variables at these positions of the current valuation: a procedure's entry (Delta^0 of the
    /// first one).
    pub fn identity(entry: usize, values: usize) -> Disjunct {
        let symbol = |at: usize| Some(Sum::column(at as Variable));
        let value = |at: usize| if at < entry { symbol(at) } else { None };
        Disjunct {
            entry: (0..entry).map(symbol).collect(),
            values: (0..values).map(value).collect(),
            next: entry as Variable,
            ..Disjunct::default()
        }
    }

    /// A symbol that nothing speaks of yet: any integer.
    pub fn fresh(&mut self) -> Expression {
        self.next += 1;
        Sum::column(self.next - 1)
    }

    /// The sum of a variable, which becomes a symbol if nothing is known of it.
    pub fn value(&mut self, at: usize) -> Expression {
        if let Some(known) = &self.values[at] {
            return known.clone();
        }
        let new = self.fresh();
        self.values[at] = Some(new.clone());
        new
    }

    /// Adds what another disjunct says, of which the symbols become new ones; its valuations with them are given back.
    pub fn include(&mut self, other: &Disjunct) -> (Vec<Option<Expression>>, Vec<Option<Expression>>) {
        let offset = self.next;
        self.next += other.next;
        let moved = |sum: &Expression| sum.map(|symbol| symbol + offset);
        for constraint in &other.constraints {
            let sum = moved(&constraint.sum);
            self.constraints.push(Constraint { sum, relation: constraint.relation });
        }
        let all = |sums: &[Option<Expression>]| sums.iter().map(|sum| sum.as_ref().map(moved)).collect();
        (all(&other.entry), all(&other.values))
    }

    fn sums_mut(&mut self) -> impl Iterator<Item = &mut Expression> {
        let valuations = self.entry.iter_mut().chain(self.values.iter_mut()).flatten();
        valuations.chain(self.stack.iter_mut()).chain(self.known.iter_mut().map(|(_, sum)| sum))
    }

    fn sums(&self) -> impl Iterator<Item = &Expression> {
        let valuations = self.entry.iter().chain(self.values.iter()).flatten();
        valuations.chain(self.stack.iter()).chain(self.known.iter().map(|(_, sum)| sum))
    }

    /// Adds a constraint (the meet). `false` if the disjunct is evidently empty then.
    pub fn assume(&mut self, constraint: Constraint) -> bool {
        let mut pending = vec![constraint];
        while let Some(constraint) = pending.pop() {
            let Some(constraint) = normal(constraint) else { return false };
            if constraint.sum.columns.is_empty() {
                continue;
            }
            if constraint.relation == Relation::Zero {
                match solved(&constraint.sum) {
                    Some((symbol, is)) => self.replace(symbol, &is, &mut pending),
                    None if self.constraints.contains(&constraint) => {}
                    None => self.constraints.push(constraint),
                }
                continue;
            }
            let Some(tight) = self.tighten(&constraint) else { return false };
            pending.extend(tight);
        }
        true
    }

    /// Puts a sum in the place of a symbol; constraints on it have to be added again.
    fn replace(&mut self, symbol: Variable, is: &Expression, pending: &mut Vec<Constraint>) {
        let mentions = |sum: &Expression| !sum.factor(symbol).is_zero();
        self.sums_mut().filter(|sum| mentions(sum)).for_each(|sum| *sum = sum.substitute(symbol, is));
        let (touched, kept) = std::mem::take(&mut self.constraints).into_iter().partition(|c| mentions(&c.sum));
        self.constraints = kept;
        let touched: Vec<Constraint> = touched;
        let anew = |c: Constraint| Constraint { sum: c.sum.substitute(symbol, is), relation: c.relation };
        pending.extend(touched.into_iter().map(anew));
        for waiting in pending.iter_mut().filter(|waiting| mentions(&waiting.sum)) {
            waiting.sum = waiting.sum.substitute(symbol, is);
        }
    }

    /// Adds an inequality among those with the same or opposite factors; an equation if it has become one. `None` if
    /// they contradict each other.
    fn tighten(&mut self, new: &Constraint) -> Option<Option<Constraint>> {
        let opposite: Vec<(Variable, Rational)> = new.sum.columns.iter().map(|(c, f)| (*c, f.negated())).collect();
        let mut same = None;
        for (at, known) in self.constraints.iter().enumerate().filter(|(_, c)| c.relation == Relation::AtMostZero) {
            if known.sum.columns == opposite {
                // sum + c <= 0 and -sum + d <= 0: c <= -sum <= ... <= -d.
                let room = known.sum.constant.plus(&new.sum.constant);
                if room.is_positive() {
                    return None;
                }
                if room.is_zero() {
                    self.constraints.remove(at);
                    return Some(Some(Constraint::zero(new.sum.clone())));
                }
            }
            if known.sum.columns == new.sum.columns {
                same = Some(at);
            }
        }
        match same {
            Some(at) if self.constraints[at].sum.constant < new.sum.constant => self.constraints[at] = new.clone(),
            Some(_) => {}
            None => self.constraints.push(new.clone()),
        }
        Some(None)
    }

    /// Whether the constraints may contradict each other in a way that is not evident: some have several symbols.
    pub fn needs_check(&self) -> bool {
        self.constraints.iter().any(|c| c.sum.columns.len() > 1 || c.relation == Relation::Zero)
    }

    /// Eliminates what no valuation mentions, as far as that is exact, and numbers the symbols in the order in which
    /// they occur (projection). `false` if the disjunct turns out to be empty.
    pub fn tidy(&mut self) -> bool {
        self.stack.clear();
        self.known.clear();
        if !self.eliminate() {
            return false;
        }
        self.forget();
        let mut numbers: FxHashMap<Variable, Variable> = FxHashMap::default();
        let constraints = self.constraints.iter().map(|c| &c.sum);
        for (symbol, _) in self.sums().chain(constraints).flat_map(|sum| &sum.columns) {
            let next = numbers.len() as Variable;
            numbers.entry(*symbol).or_insert(next);
        }
        let renamed = |sum: &Expression| sum.map(|symbol| numbers[&symbol]);
        self.sums_mut().for_each(|sum| *sum = renamed(sum));
        self.constraints.iter_mut().for_each(|c| c.sum = renamed(&c.sum));
        self.constraints.sort_by(|a, b| {
            (&a.sum.columns, a.relation, &a.sum.constant).cmp(&(&b.sum.columns, b.relation, &b.sum.constant))
        });
        self.next = numbers.len() as Variable;
        true
    }

    fn mentioned(&self) -> FxHashSet<Variable> {
        self.sums().flat_map(|sum| &sum.columns).map(|(symbol, _)| *symbol).collect()
    }

    /// Eliminates what no valuation mentions. `false` if the disjunct turns out to be empty.
    pub fn eliminated(&mut self) -> bool {
        self.stack.clear();
        self.known.clear();
        self.eliminate()
    }

    /// Fourier-Motzkin elimination of the symbols that only constraints mention, where it is exact.
    fn eliminate(&mut self) -> bool {
        if self.constraints.is_empty() {
            return true;
        }
        let mentioned = self.mentioned();
        self.disconnect(&mentioned);
        let mut kept: FxHashSet<Variable> = FxHashSet::default();
        loop {
            let only = |c: &&Variable| !mentioned.contains(c) && !kept.contains(c);
            let mut symbols = self.constraints.iter().flat_map(|c| &c.sum.columns).map(|(symbol, _)| symbol);
            let Some(symbol) = symbols.find(only).copied() else { return true };
            match self.eliminate_one(symbol) {
                Some(true) => {}
                Some(false) => {
                    kept.insert(symbol);
                }
                None => return false,
            }
        }
    }

    /// Drops constraints that nothing connects to what is mentioned: they can be satisfied, since the disjunct is not
    /// empty.
    fn disconnect(&mut self, mentioned: &FxHashSet<Variable>) {
        let mut connected = mentioned.clone();
        let mut waiting = std::mem::take(&mut self.constraints);
        loop {
            let is_connected = |c: &Constraint| c.sum.columns.iter().any(|(symbol, _)| connected.contains(symbol));
            let (near, far): (Vec<Constraint>, Vec<Constraint>) = waiting.into_iter().partition(is_connected);
            if near.is_empty() {
                return;
            }
            connected.extend(near.iter().flat_map(|c| &c.sum.columns).map(|(symbol, _)| *symbol));
            self.constraints.extend(near);
            waiting = far;
        }
    }

    /// How many symbols occur.
    pub fn symbols(&self) -> usize {
        let constraints = self.constraints.iter().map(|c| &c.sum);
        let all: FxHashSet<Variable> =
            self.sums().chain(constraints).flat_map(|s| &s.columns).map(|(v, _)| *v).collect();
        all.len()
    }

    /// Whether a symbol could be eliminated; `None` if there is no valuation at all.
    fn eliminate_one(&mut self, symbol: Variable) -> Option<bool> {
        let factor = |c: &Constraint| c.sum.factor(symbol);
        let (about, rest): (Vec<Constraint>, Vec<Constraint>) =
            self.constraints.iter().cloned().partition(|c| !factor(c).is_zero());
        if about.iter().any(|c| c.relation == Relation::Zero) {
            return Some(false);
        }
        let (upper, lower): (Vec<Constraint>, Vec<Constraint>) =
            about.into_iter().partition(|c| factor(c).is_positive());
        let is_unit = |c: &Constraint| factor(c).absolute() == Rational::ONE;
        let exact = upper.iter().all(|u| lower.iter().all(|l| is_unit(u) || is_unit(l)));
        if !exact || upper.len() * lower.len() > upper.len() + lower.len() + 2 {
            return Some(false);
        }
        self.constraints = rest;
        for u in &upper {
            for l in &lower {
                let sum = u.sum.times(&factor(l).absolute()).plus(&l.sum.times(&factor(u)));
                if !self.assume(Constraint::at_most_zero(sum)) {
                    return None;
                }
            }
        }
        Some(true)
    }

    /// A variable whose sum is a symbol that nothing else mentions may have any value.
    fn forget(&mut self) {
        let mut often: FxHashMap<Variable, usize> = FxHashMap::default();
        let constraints = self.constraints.iter().map(|c| &c.sum);
        for (symbol, _) in self.sums().chain(constraints).flat_map(|sum| &sum.columns) {
            *often.entry(*symbol).or_default() += 1;
        }
        for value in self.entry.iter_mut().chain(self.values.iter_mut()) {
            if let Some(Sum { columns, .. }) = value
                && let [(symbol, factor)] = &columns[..]
                && often[symbol] == 1
                && factor.absolute() == Rational::ONE
            {
                *value = None;
            }
        }
    }

    /// Whether all values are known numbers.
    pub fn is_point(&self) -> bool {
        self.constraints.is_empty() && self.sums().all(|sum| sum.columns.is_empty())
    }
}

/// A constraint with integers without a common divisor for factors; `None` if it cannot hold, one without columns if
/// it always does.
pub fn normal(constraint: Constraint) -> Option<Constraint> {
    let Constraint { sum, relation } = constraint;
    if sum.columns.is_empty() {
        let held = relation.holds(&sum.constant);
        return held.then(|| Constraint::zero(Sum::constant(Rational::ZERO)));
    }
    let mut sum = sum.times(&sum.scale());
    match relation {
        Relation::Zero if !sum.constant.is_integer() => return None,
        Relation::Zero => {
            if sum.columns[0].1.is_negative() {
                sum = sum.times(&Rational::from(-1));
            }
            return Some(Constraint::zero(sum));
        }
        Relation::BelowZero if sum.constant.is_integer() => sum.constant = sum.constant.plus(&Rational::ONE),
        _ => sum.constant = sum.constant.negated().floor().negated(),
    }
    Some(Constraint::at_most_zero(sum))
}

/// A symbol that an equation tells, and what it is.
fn solved(sum: &Expression) -> Option<(Variable, Expression)> {
    let is_unit = |factor: &Rational| factor.absolute() == Rational::ONE;
    let (symbol, factor) = sum.columns.iter().rev().find(|(_, factor)| is_unit(factor))?;
    let rest = sum.minus(&Sum::column(*symbol).times(factor));
    Some((*symbol, rest.times(&factor.negated())))
}
