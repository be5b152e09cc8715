//! What edges do to octagons over machine integers, read with sign.
//!
//! A sum is looked at as a number only where it cannot wrap around, by what is known of its parts; order without sign is
//! order with sign where the greater side is not negative. For the rest, intervals say what is known of a value.

use super::matrix::{Octagon, plus};
use super::packs::Pack;
use crate::intervals::{Evaluator, Range, State, all_signed};
use ir::{Edge, Op};
use rustc_hash::FxHashMap;
use term::{Op as TermOp, Term};

/// A sum of at most one variable of the pack and a number: what the sides of constraints are.
#[derive(Clone, Copy)]
struct Sum {
    /// The variable's positive or negative end.
    end: Option<usize>,
    number: i128,
}

/// The pack whose relations are looked at.
pub struct Relations<'a> {
    pack: &'a Pack,
    numbers: FxHashMap<Term, usize>,
}

impl<'a> Relations<'a> {
    pub fn new(pack: &'a Pack) -> Relations<'a> {
        let numbers = pack.variables.iter().enumerate().map(|(number, variable)| (*variable, number)).collect();
        Relations { pack, numbers }
    }

    fn all(&self) -> (i128, i128) {
        all_signed(self.pack.width)
    }

    /// Where nothing is known but that values have their width.
    pub fn start(&self) -> Octagon {
        let mut octagon = Octagon::all(self.pack.variables.len());
        (0..self.pack.variables.len()).for_each(|variable| octagon.constrain_range(variable, self.all()));
        octagon.close();
        octagon
    }

    /// Whether an edge changes what is known of the pack.
    pub fn concerns(&self, edge: &Edge) -> bool {
        match &edge.op {
            Op::Assign(pairs) => pairs.iter().any(|(variable, _)| self.numbers.contains_key(variable)),
            Op::Havoc(variables) => variables.iter().any(|variable| self.numbers.contains_key(variable)),
            Op::Assume(condition) => term::free::variables([*condition]).iter().any(|v| self.numbers.contains_key(v)),
            _ => false,
        }
    }

    /// The closed octagon with what intervals say, who know more of single variables than what was widened does; `None` if
    /// nothing satisfies it.
    pub fn within(&self, octagon: &Octagon, ranges: &State) -> Option<Octagon> {
        let mut octagon = octagon.clone();
        for (number, variable) in self.pack.variables.iter().enumerate() {
            octagon.constrain_range(number, ranges.get(variable).map_or(self.all(), |range| range.signed));
        }
        octagon.close().then_some(octagon)
    }

    /// The closed octagon behind an edge, from one before; `None` if the edge cannot be taken.
    pub fn transfer(&self, octagon: &Octagon, ranges: &State, edge: &Edge) -> Option<Octagon> {
        let mut octagon = self.within(octagon, ranges)?;
        match &edge.op {
            Op::Assume(condition) => self.assume(&octagon, *condition, true),
            Op::Assign(pairs) => Some(self.assign(&octagon, ranges, pairs)),
            Op::Havoc(variables) => {
                variables.iter().for_each(|variable| self.forget(&mut octagon, *variable));
                octagon.close().then_some(octagon)
            }
            _ => Some(octagon),
        }
    }

    fn forget(&self, octagon: &mut Octagon, variable: Term) {
        if let Some(number) = self.numbers.get(&variable) {
            octagon.forget(*number);
            octagon.constrain_range(*number, self.all());
        }
    }

    fn assign(&self, octagon: &Octagon, ranges: &State, pairs: &[(Term, Term)]) -> Octagon {
        let own: Vec<(usize, Term, Term)> = pairs
            .iter()
            .filter_map(|(variable, value)| Some((*self.numbers.get(variable)?, *variable, *value)))
            .collect();
        let is_assigned = |end: usize| own.iter().any(|(number, ..)| *number == end / 2);
        let sums: Vec<(Option<Sum>, Option<Range>)> = (own.iter())
            .map(|(_, _, value)| (self.sum(octagon, *value), Evaluator::new(ranges).range(*value)))
            .collect();
        let mut after = octagon.clone();
        // Those that stay what they were but for a number first, for others are forgotten.
        for ((number, ..), (sum, _)) in own.iter().zip(&sums) {
            match sum {
                Some(Sum { end: Some(end), number: by }) if *end == plus(*number) => after.shift(*number, *by),
                _ => {
                    after.forget(*number);
                    after.constrain_range(*number, self.all());
                }
            }
        }
        for ((number, ..), (sum, range)) in own.iter().zip(&sums) {
            if let Some(range) = range {
                after.constrain_range(*number, range.signed);
            }
            match sum {
                Some(Sum { end: None, number: value }) => after.constrain_range(*number, (*value, *value)),
                Some(Sum { end: Some(end), number: by }) if !is_assigned(*end) => {
                    after.constrain(*end, plus(*number), *by);
                    after.constrain(plus(*number), *end, -*by);
                }
                _ => {}
            }
        }
        after.close();
        after
    }

    /// A term as a sum that does not wrap around.
    fn sum(&self, octagon: &Octagon, term: Term) -> Option<Sum> {
        if let Some(number) = term.as_bv() {
            return Some(Sum { end: None, number: number.signed() });
        }
        if let Some(number) = self.numbers.get(&term) {
            return Some(Sum { end: Some(plus(*number)), number: 0 });
        }
        let (TermOp::BvAdd | TermOp::BvSub, [a, b]) = (term.op(), term.args()) else { return None };
        let (a, mut b) = (self.sum(octagon, *a)?, self.sum(octagon, *b)?);
        if *term.op() == TermOp::BvSub {
            b = Sum { end: b.end.map(|end| end ^ 1), number: -b.number };
        }
        let sum = match (a.end, b.end) {
            (_, None) => Sum { end: a.end, number: a.number + b.number },
            (None, _) => Sum { end: b.end, number: a.number + b.number },
            _ => return None,
        };
        let (least, most) = self.range(octagon, sum)?;
        let all = self.all();
        (all.0 <= least && most <= all.1).then_some(sum)
    }

    /// Between which numbers a sum lies.
    fn range(&self, octagon: &Octagon, sum: Sum) -> Option<(i128, i128)> {
        let Some(end) = sum.end else { return Some((sum.number, sum.number)) };
        let (least, most) = octagon.range(end / 2);
        let (least, most) = (least?, most?);
        let (least, most) = if end.is_multiple_of(2) { (least, most) } else { (-most, -least) };
        Some((least + sum.number, most + sum.number))
    }

    /// The closed octagon where a condition has a truth value; `None` if it cannot.
    fn assume(&self, octagon: &Octagon, condition: Term, truth: bool) -> Option<Octagon> {
        match (condition.op(), condition.args(), truth) {
            (TermOp::Not, [inner], _) => self.assume(octagon, *inner, !truth),
            (TermOp::And, all, true) | (TermOp::Or, all, false) => {
                all.iter().try_fold(octagon.clone(), |octagon, part| self.assume(&octagon, *part, truth))
            }
            (TermOp::And, all, false) | (TermOp::Or, all, true) => {
                let ways = all.iter().filter_map(|part| self.assume(octagon, *part, truth));
                ways.reduce(|one, other| one.join(&other))
            }
            (TermOp::Const(_), _, _) => (condition.as_bool() == Some(truth)).then(|| octagon.clone()),
            (TermOp::Eq | TermOp::BvUlt | TermOp::BvUle | TermOp::BvSlt | TermOp::BvSle, [a, b], _) => {
                self.compare(octagon, condition.op(), (*a, *b), truth)
            }
            _ => Some(octagon.clone()),
        }
    }

    fn compare(&self, octagon: &Octagon, op: &TermOp, (a, b): (Term, Term), truth: bool) -> Option<Octagon> {
        let mut after = octagon.clone();
        if a.sort().bv_width() != Some(self.pack.width) {
            return Some(after);
        }
        let (Some(first), Some(second)) = (self.sum(octagon, a), self.sum(octagon, b)) else { return Some(after) };
        match op {
            TermOp::Eq if truth => {
                less(&mut after, first, second, 0);
                less(&mut after, second, first, 0);
            }
            TermOp::Eq => {
                // Where one side is at most the other, it is less.
                for (one, other) in [(first, second), (second, first)] {
                    if most(octagon, one, other).is_some_and(|most| most <= 0) {
                        less(&mut after, one, other, 1);
                    }
                }
            }
            _ => {
                let is_strict = matches!(op, TermOp::BvUlt | TermOp::BvSlt) == truth;
                let (lesser, greater) = if truth { (first, second) } else { (second, first) };
                let is_signed = matches!(op, TermOp::BvSlt | TermOp::BvSle);
                if !is_signed && self.range(octagon, greater).is_none_or(|(least, _)| least < 0) {
                    return Some(after);
                }
                if !is_signed {
                    // Nothing negative is below something that is not, read without sign.
                    less(&mut after, Sum { end: None, number: 0 }, lesser, 0);
                }
                less(&mut after, lesser, greater, i128::from(is_strict));
            }
        }
        after.close().then_some(after)
    }
}

/// Adds that a sum plus some slack is at most another.
fn less(octagon: &mut Octagon, lesser: Sum, greater: Sum, slack: i128) {
    let most = greater.number - lesser.number - slack;
    match (lesser.end, greater.end) {
        // end - other <= most; -end <= most is twice so much between the two ends of the variable.
        (Some(lesser), Some(greater)) if lesser != greater => octagon.constrain(greater, lesser, most),
        (Some(lesser), None) => octagon.constrain(lesser ^ 1, lesser, 2 * most),
        (None, Some(greater)) => octagon.constrain(greater, greater ^ 1, 2 * most),
        _ if most < 0 => octagon.constrain(0, 0, -1),
        _ => {}
    }
}

/// The most that the first sum minus the second can be.
fn most(octagon: &Octagon, first: Sum, second: Sum) -> Option<i128> {
    let numbers = first.number - second.number;
    let ends = match (first.end, second.end) {
        (Some(first), Some(second)) => octagon.bound(second, first)?,
        (Some(first), None) => octagon.bound(first ^ 1, first)?.div_euclid(2),
        (None, Some(second)) => octagon.bound(second, second ^ 1)?.div_euclid(2),
        (None, None) => 0,
    };
    Some(ends + numbers)
}
