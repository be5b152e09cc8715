//! Abstract disjunctive linear constraints (Section 4): sets of path edges as disjunctions, and the operations on them.
//!
//! | paper | here |
//! |---|---|
//! | application of (s, t) | the valuations of a [`Disjunct`] are the tuples of sums |
//! | conjunction | [`Disjunct::assume`], [`Disjunct::include`] |
//! | disjunction | [`Adlc::join`] |
//! | quantifier elimination | [`Disjunct::tidy`] |
//! | entailment | [`Arithmetic::entails`] |
//!
//! Deviations: the paper eliminates quantifiers by Fourier-Motzkin over the reals and asks ICS about entailment. Here
//! elimination is done only where it is exact over the integers, and isl decides emptiness and entailment, behind
//! filters that need no library: equal disjuncts, and a substitution of one disjunct's symbols that makes its
//! valuations the other's.
//!
//! Invariant: every answer is exact over the integers, or `Err`.

use crate::disjunct::{Disjunct, Expression, normal};
use arithmetic::{Rational, Sum};
use dashu::integer::IBig;
use rustc_hash::{FxHashMap, FxHashSet};
use sets::presburger::{Presburger, Presburgers};
use sets::{Constraint, Relation, Stop, Variable};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Entailment by several disjuncts together is asked for only if there are at most so many.
const MOST_TOGETHER: usize = 8;
/// and they have at most so many symbols.
const MOST_SYMBOLS: usize = 12;

/// Decides constraints.
pub struct Arithmetic {
    pub sets: Presburgers,
    empty: FxHashMap<Vec<Constraint>, bool>,
}

/// The path edges of a location.
#[derive(Default, Debug)]
pub struct Adlc {
    /// Each with its number.
    pub disjuncts: Vec<(usize, Rc<Disjunct>)>,
    points: FxHashSet<Rc<Disjunct>>,
    /// The numbers of those that others subsume.
    subsumed: FxHashSet<usize>,
}

impl Arithmetic {
    pub fn new(sets: Presburgers) -> Arithmetic {
        Arithmetic { sets, empty: FxHashMap::default() }
    }

    /// Whether a disjunct has no path edges at all.
    pub fn is_empty(&mut self, disjunct: &Disjunct) -> Result<bool, Stop> {
        if !disjunct.needs_check() || holds_near_zero(&disjunct.constraints) {
            return Ok(false);
        }
        self.contradict(&disjunct.constraints)
    }

    fn contradict(&mut self, constraints: &[Constraint]) -> Result<bool, Stop> {
        if let Some(known) = self.empty.get(constraints) {
            return Ok(*known);
        }
        let empty = self.conjunction(constraints)?.is_empty()?;
        self.empty.insert(constraints.to_vec(), empty);
        Ok(empty)
    }

    /// Numbers that satisfy constraints.
    pub fn model(&self, constraints: &[Constraint]) -> Result<Option<BTreeMap<Variable, IBig>>, Stop> {
        self.conjunction(constraints)?.model()
    }

    fn conjunction(&self, constraints: &[Constraint]) -> Result<Presburger, Stop> {
        let mut set = self.sets.universe()?;
        for constraint in constraints {
            set = set.and(&self.sets.satisfying(constraint)?)?;
        }
        Ok(set)
    }

    /// Whether a constraint holds in all path edges of a disjunct.
    pub fn implied(&mut self, disjunct: &Disjunct, one: &Constraint) -> Result<bool, Stop> {
        self.implies(&disjunct.constraints, one)
    }

    /// Whether the constraints of a disjunct imply another one, of its symbols.
    fn implies(&mut self, constraints: &[Constraint], one: &Constraint) -> Result<bool, Stop> {
        let Some(one) = normal(one.clone()) else { return self.contradict(constraints) };
        if one.sum.columns.is_empty() {
            return Ok(true);
        }
        let opposite = one.sum.times(&Rational::from(-1));
        let sides = match one.relation {
            Relation::Zero => vec![one.sum.clone(), opposite],
            _ => vec![one.sum.clone()],
        };
        if one.relation == Relation::Zero && constraints.contains(&one) {
            return Ok(true);
        }
        for side in sides {
            let stronger = |c: &Constraint| {
                c.relation == Relation::AtMostZero && c.sum.columns == side.columns && c.sum.constant >= side.constant
            };
            if constraints.iter().any(stronger) {
                continue;
            }
            // Not sum <= 0: -sum < 0.
            let violated = normal(Constraint::below_zero(side.times(&Rational::from(-1))));
            let Some(violated) = violated else { continue };
            let all: Vec<Constraint> = constraints.iter().cloned().chain([violated]).collect();
            if !self.contradict(&all)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether each path edge of one disjunct is one of another, if a substitution shows that.
    fn within(&mut self, one: &Disjunct, other: &Disjunct) -> Result<bool, Stop> {
        let mut is: FxHashMap<Variable, Expression> = FxHashMap::default();
        let pairs = one.entry.iter().chain(&one.values).zip(other.entry.iter().chain(&other.values));
        for (own, wider) in pairs {
            let Some(wider) = wider else { continue };
            let Some(own) = own else { return Ok(false) };
            let mut open = wider.columns.iter().filter(|(symbol, _)| !is.contains_key(symbol));
            let (first, second) = (open.next(), open.next());
            let applied = applied(wider, &is);
            match (first, second) {
                (None, _) if applied == *own => {}
                (Some((symbol, factor)), None) if factor.absolute() == Rational::ONE => {
                    let rest = applied.minus(&Sum::column(*symbol).times(factor));
                    is.insert(*symbol, own.minus(&rest).times(factor));
                }
                _ => return Ok(false),
            }
        }
        for constraint in &other.constraints {
            if constraint.sum.columns.iter().any(|(symbol, _)| !is.contains_key(symbol)) {
                return Ok(false);
            }
            let sum = applied(&constraint.sum, &is);
            if !self.implies(&one.constraints, &Constraint { sum, relation: constraint.relation })? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether each path edge of a disjunct is among those of an ADLC.
    pub fn entails(&mut self, one: &Disjunct, all: &Adlc) -> Result<bool, Stop> {
        if all.points.contains(one) {
            return Ok(true);
        }
        for (_, other) in all.disjuncts.iter().rev() {
            if self.within(one, other)? {
                return Ok(true);
            }
        }
        if one.is_point() || one.symbols() > MOST_SYMBOLS {
            return Ok(false);
        }
        let apart = |other: &&Disjunct| !are_apart(one, other) && other.symbols() <= MOST_SYMBOLS;
        let near: Vec<&Disjunct> =
            all.disjuncts.iter().map(|(_, other)| &**other).filter(apart).take(MOST_TOGETHER + 1).collect();
        if near.is_empty() || near.len() > MOST_TOGETHER {
            return Ok(false);
        }
        let columns = differing(one, &near);
        let mut union = self.sets.empty()?;
        for other in near {
            union = union.or(&self.set(other, &columns)?)?;
        }
        self.set(one, &columns)?.entails(&union)
    }

    /// The path edges as a set, where the columns are the variables; entry valuations come first.
    fn set(&self, disjunct: &Disjunct, columns: &BTreeSet<usize>) -> Result<Presburger, Stop> {
        let all: Vec<&Option<Expression>> = disjunct.entry.iter().chain(&disjunct.values).collect();
        let offset = all.len() as Variable;
        let moved = |sum: &Expression| sum.map(|symbol| symbol + offset);
        let mut set = self.sets.universe()?;
        let mut symbols: BTreeSet<Variable> = BTreeSet::new();
        for at in columns {
            let Some(sum) = all[*at] else { continue };
            symbols.extend(sum.columns.iter().map(|(symbol, _)| symbol + offset));
            let equal = Constraint::zero(moved(sum).minus(&Sum::column(*at as Variable)));
            set = set.and(&self.sets.satisfying(&equal)?)?;
        }
        for constraint in &disjunct.constraints {
            symbols.extend(constraint.sum.columns.iter().map(|(symbol, _)| symbol + offset));
            let moved = Constraint { sum: moved(&constraint.sum), relation: constraint.relation };
            set = set.and(&self.sets.satisfying(&moved)?)?;
        }
        set.exists(&symbols.into_iter().collect::<Vec<_>>())
    }

    /// The path edges of a disjunct as a set over all of its variables; entry valuations come first.
    pub fn whole(&self, disjunct: &Disjunct) -> Result<Presburger, Stop> {
        self.set(disjunct, &(0..disjunct.entry.len() + disjunct.values.len()).collect())
    }
}

impl Adlc {
    /// Adds the path edges of a disjunct (the join), unless all of them are there already. Those that it subsumes go.
    pub fn join(&mut self, id: usize, disjunct: Rc<Disjunct>, arithmetic: &mut Arithmetic) -> Result<bool, Stop> {
        if arithmetic.entails(&disjunct, self)? {
            return Ok(false);
        }
        if disjunct.is_point() {
            self.points.insert(disjunct.clone());
        } else {
            let mut kept = Vec::with_capacity(self.disjuncts.len() + 1);
            for (number, known) in std::mem::take(&mut self.disjuncts) {
                if arithmetic.within(&known, &disjunct)? {
                    self.subsumed.insert(number);
                } else {
                    kept.push((number, known));
                }
            }
            self.disjuncts = kept;
        }
        self.disjuncts.push((id, disjunct));
        Ok(true)
    }

    /// Whether another disjunct has come that has all path edges of the one of this number.
    pub fn is_subsumed(&self, id: usize) -> bool {
        self.subsumed.contains(&id)
    }
}

/// Whether constraints hold where each symbol is the number closest to zero that its own bounds allow: a witness that needs no library.
fn holds_near_zero(constraints: &[Constraint]) -> bool {
    let mut near: FxHashMap<Variable, Rational> = FxHashMap::default();
    for Constraint { sum, .. } in constraints {
        let [(symbol, factor)] = &sum.columns[..] else { continue };
        // factor * symbol + constant <= 0, where the factor is 1 or -1.
        let bound = sum.constant.times(&factor.negated());
        let known = near.get(symbol).cloned().unwrap_or(Rational::ZERO);
        if factor.is_positive() && known > bound || factor.is_negative() && known < bound {
            near.insert(*symbol, bound);
        }
    }
    let value = |symbol| near.get(&symbol).cloned().unwrap_or(Rational::ZERO);
    near.values().all(Rational::is_integer) && constraints.iter().all(|c| c.holds(value))
}

/// A sum with sums in the place of some symbols.
fn applied(sum: &Expression, is: &FxHashMap<Variable, Expression>) -> Expression {
    let part = |(symbol, factor): &(Variable, Rational)| match is.get(symbol) {
        Some(is) => is.times(factor),
        None => Sum::column(*symbol).times(factor),
    };
    sum.columns.iter().map(part).fold(Sum::constant(sum.constant.clone()), |sum, part| sum.plus(&part))
}

/// Whether two disjuncts give a variable different numbers.
fn are_apart(one: &Disjunct, other: &Disjunct) -> bool {
    let pairs = one.entry.iter().chain(&one.values).zip(other.entry.iter().chain(&other.values));
    pairs.into_iter().any(|pair| match pair {
        (Some(a), Some(b)) => a.columns.is_empty() && b.columns.is_empty() && a.constant != b.constant,
        _ => false,
    })
}

/// The variables that not all of the disjuncts give the same number.
fn differing(one: &Disjunct, others: &[&Disjunct]) -> BTreeSet<usize> {
    let all = |disjunct: &Disjunct| -> Vec<Option<Expression>> {
        disjunct.entry.iter().chain(&disjunct.values).cloned().collect()
    };
    let (own, others): (Vec<_>, Vec<Vec<_>>) = (all(one), others.iter().map(|other| all(other)).collect());
    let is_same = |at: &usize| {
        own[*at].as_ref().is_some_and(|sum| sum.columns.is_empty()) && others.iter().all(|other| other[*at] == own[*at])
            || own[*at].is_none() && others.iter().all(|other| other[*at].is_none())
    };
    (0..own.len()).filter(|at| !is_same(at)).collect()
}
