//! When do two indices of a map denote the same element?
//!
//! Indices are sums of multiples, in machine arithmetic: `4000 * i + 4 * j`. Where ranges of the variables show that the
//! sums do not wrap, they are equal just if they are so as integers: common divisors go away, and where the multiples are far
//! enough apart, as for the rows and columns of a matrix, the variables are equal one by one.
//!
//! Invariant: for values within the ranges, the result is true just if the indices are equal.

use rustc_hash::FxHashMap;
use term::build::{and, bv_add, bv_mul, bv_signed, eq, falsehood};
use term::{Bv, Op, Term};

/// The lowest and the highest value of variables that are not negative, in either reading.
pub type Ranges = FxHashMap<Term, (i128, i128)>;

/// Wider numbers are left alone, so that nothing here overflows unseen.
const WIDEST: u32 = 64;

/// What formulas that all hold say about variables.
pub fn ranges<'a>(formulas: impl Iterator<Item = &'a Term>) -> Ranges {
    let mut known: FxHashMap<Term, Known> = FxHashMap::default();
    formulas.for_each(|formula| read(*formula, &mut known));
    known.into_iter().filter_map(|(variable, known)| Some((variable, known.range()?))).collect()
}

/// Bounds in the unsigned and in the signed reading.
#[derive(Clone, Copy)]
struct Known {
    width: u32,
    unsigned: (i128, i128),
    signed: (i128, i128),
}

impl Known {
    fn new(width: u32) -> Known {
        let half = 1i128 << (width - 1);
        Known { width, unsigned: (0, 2 * half - 1), signed: (-half, half - 1) }
    }

    fn range(&self) -> Option<(i128, i128)> {
        let largest = (1i128 << (self.width - 1)) - 1;
        let is_positive = self.unsigned.1 <= largest || self.signed.0 >= 0;
        let (low, high) = (self.unsigned.0.max(self.signed.0), self.unsigned.1.min(self.signed.1));
        (is_positive && low <= high).then_some((low, high))
    }
}

fn read(formula: Term, known: &mut FxHashMap<Term, Known>) {
    let (comparison, negated) = match (formula.op(), formula.args()) {
        (Op::And, parts) => return parts.iter().for_each(|part| read(*part, known)),
        (Op::Not, [inside]) => (*inside, true),
        _ => (formula, false),
    };
    let (signed, strict) = match comparison.op() {
        Op::BvUlt => (false, true),
        Op::BvUle => (false, false),
        Op::BvSlt => (true, true),
        Op::BvSle => (true, false),
        _ => return,
    };
    let &[a, b] = comparison.args() else { return };
    // What is not less is greater or equal.
    let (a, b, strict) = if negated { (b, a, !strict) } else { (a, b, strict) };
    let number = |bv: Bv| if signed { bv.signed() } else { bv.unsigned() as i128 };
    let (variable, bound, is_upper) = match (a.as_bv(), b.as_bv()) {
        (None, Some(bound)) if a.is_var() => (a, number(bound) - i128::from(strict), true),
        (Some(bound), None) if b.is_var() => (b, number(bound) + i128::from(strict), false),
        _ => return,
    };
    let Some(width) = variable.sort().bv_width().filter(|width| *width <= WIDEST) else { return };
    let own = known.entry(variable).or_insert_with(|| Known::new(width));
    let range = if signed { &mut own.signed } else { &mut own.unsigned };
    if is_upper {
        range.1 = range.1.min(bound);
    } else {
        range.0 = range.0.max(bound);
    }
}

/// The formula that two indices are equal.
pub fn same(a: Term, b: Term, ranges: &Ranges) -> Term {
    as_integers(a, b, ranges).unwrap_or_else(|| eq(a, b))
}

fn as_integers(a: Term, b: Term, ranges: &Ranges) -> Option<Term> {
    let width = a.sort().bv_width().filter(|width| *width <= WIDEST)?;
    let (a, b) = (Sum::of(a, ranges)?, Sum::of(b, ranges)?);
    let fits = |sum: &Sum| sum.low >= 0 && sum.high < 1i128 << width;
    if !fits(&a) || !fits(&b) {
        return None;
    }
    let difference = b.constant - a.constant;
    let divisor = a.multiples.iter().chain(&b.multiples).fold(0, |divisor, multiple| gcd(divisor, multiple.factor));
    if divisor == 0 {
        return None;
    }
    if difference % divisor != 0 {
        return Some(falsehood());
    }
    if difference == 0
        && let Some(one_by_one) = one_by_one(&a, &b)
    {
        return Some(one_by_one);
    }
    // The sides differ by less than the width counts, so they are equal in machine arithmetic just if they are as integers.
    let side = |sum: &Sum, constant: i128| {
        let multiple = |multiple: &Multiple| bv_mul(multiple.of, bv_signed(width, multiple.factor / divisor));
        sum.multiples.iter().map(multiple).fold(bv_signed(width, constant), bv_add)
    };
    Some(eq(side(&a, -difference / divisor), side(&b, 0)))
}

/// For sums of the same multiples, each of which is larger than what all smaller ones can make up for.
fn one_by_one(a: &Sum, b: &Sum) -> Option<Term> {
    if a.multiples.len() != b.multiples.len() {
        return None;
    }
    let mut smaller = 0i128;
    let mut equal = Vec::new();
    for (x, y) in a.multiples.iter().zip(&b.multiples).rev() {
        if x.factor != y.factor || x.factor.abs() <= smaller {
            return None;
        }
        equal.push(equal_parts(x.of, y.of));
        let span = x.range.1.max(y.range.1) - x.range.0.min(y.range.0);
        smaller = smaller.checked_add(x.factor.abs().checked_mul(span)?)?;
    }
    Some(and(equal))
}

/// Numbers whose width was changed, without changing the number, are equal just if they were before.
fn equal_parts(x: Term, y: Term) -> Term {
    match (resized(x), resized(y)) {
        (Some(x), Some(y)) if x.sort() == y.sort() => eq(x, y),
        _ => eq(x, y),
    }
}

/// What a number was before its width was changed.
fn resized(term: Term) -> Option<Term> {
    match term.op() {
        Op::ZeroExtend(_) | Op::SignExtend(_) | Op::Extract { low: 0, .. } => Some(term.args()[0]),
        _ => None,
    }
}

/// A sum of multiples.
struct Sum {
    /// The largest first.
    multiples: Vec<Multiple>,
    constant: i128,
    low: i128,
    high: i128,
}

struct Multiple {
    of: Term,
    factor: i128,
    range: (i128, i128),
}

impl Sum {
    fn of(term: Term, ranges: &Ranges) -> Option<Sum> {
        let mut sum = Sum { multiples: Vec::new(), constant: 0, low: 0, high: 0 };
        sum.add(term, 1, ranges)?;
        sum.multiples.retain(|multiple| multiple.factor != 0);
        sum.multiples.sort_by_key(|multiple| (-multiple.factor.abs(), multiple.of));
        (sum.low, sum.high) = (sum.constant, sum.constant);
        for Multiple { factor, range, .. } in &sum.multiples {
            let ends = [factor.checked_mul(range.0)?, factor.checked_mul(range.1)?];
            sum.low = sum.low.checked_add(ends[0].min(ends[1]))?;
            sum.high = sum.high.checked_add(ends[0].max(ends[1]))?;
        }
        Some(sum)
    }

    /// Adds a multiple of a term.
    fn add(&mut self, term: Term, factor: i128, ranges: &Ranges) -> Option<()> {
        match (term.op(), term.args()) {
            (Op::Const(_), _) => {
                self.constant = self.constant.checked_add(factor.checked_mul(term.as_bv()?.signed())?)?;
            }
            (Op::BvAdd, parts) => parts.iter().try_for_each(|part| self.add(*part, factor, ranges))?,
            (Op::BvSub, [a, b]) => {
                self.add(*a, factor, ranges)?;
                self.add(*b, -factor, ranges)?;
            }
            (Op::BvNeg, [a]) => self.add(*a, -factor, ranges)?,
            (Op::BvMul, [a, b]) if a.as_bv().is_some() || b.as_bv().is_some() => {
                let (by, of) = if let Some(by) = a.as_bv() { (by, *b) } else { (b.as_bv()?, *a) };
                self.add(of, factor.checked_mul(by.signed())?, ranges)?;
            }
            _ => {
                // A number that is not negative, and fits, stays the same if its width changes.
                let range = *ranges.get(&resized(term).unwrap_or(term))?;
                if range.1 >= 1i128 << term.sort().bv_width()? {
                    return None;
                }
                match self.multiples.iter_mut().find(|multiple| multiple.of == term) {
                    Some(known) => known.factor = known.factor.checked_add(factor)?,
                    None => self.multiples.push(Multiple { of: term, factor, range }),
                }
            }
        }
        Some(())
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::Sort;
    use term::build::{bv, bv_ule};

    fn variable(name: &str) -> Term {
        Term::var(name, Sort::bv(8))
    }

    fn multiple(factor: i128, name: &str) -> Term {
        bv_mul(variable(name), bv_signed(8, factor))
    }

    /// All variables are at most 4.
    fn check(a: Term, b: Term, expected: Term) {
        let small: Vec<Term> = ["i", "j", "x", "y"].map(|name| bv_ule(variable(name), bv(8, 4))).to_vec();
        let ranges = ranges(small.iter());
        let found = same(a, b, &ranges);
        assert_eq!(found, expected);
        for values in 0..5u32.pow(4) {
            let value = |v: Term| {
                let place = ["i", "j", "x", "y"].iter().position(|name| variable(name) == v)?;
                Some(term::Value::bv(8, (values / 5u32.pow(place as u32) % 5).into()))
            };
            let [found, exact] = [found, eq(a, b)].map(|formula| term::eval::evaluate(formula, &value));
            assert_eq!(found, exact, "{a} = {b}");
        }
    }

    #[test]
    fn indices_are_compared_by_what_they_are_made_of() {
        let [i, j, x, y] = ["i", "j", "x", "y"].map(variable);
        check(multiple(4, "i"), multiple(4, "x"), eq(i, x));
        check(bv_add(multiple(4, "i"), bv(8, 4)), multiple(4, "x"), eq(bv_add(i, bv(8, 1)), x));
        check(bv_add(multiple(4, "i"), bv(8, 2)), multiple(4, "x"), falsehood());
        let matrix = |row: &str, column: &str| bv_add(multiple(10, row), multiple(2, column));
        check(matrix("i", "j"), matrix("x", "y"), and([eq(j, y), eq(i, x)]));
        let backwards = |row: &str, column: &str| bv_add(bv(8, 100), bv_add(multiple(-10, row), multiple(-2, column)));
        check(backwards("i", "j"), backwards("x", "y"), and([eq(j, y), eq(i, x)]));
        // Rows that overlap, and sums that wrap, are left alone.
        let narrow = |row: &str, column: &str| bv_add(multiple(4, row), multiple(1, column));
        check(narrow("i", "j"), narrow("x", "y"), eq(narrow("i", "j"), narrow("x", "y")));
        check(multiple(64, "i"), multiple(64, "x"), eq(multiple(64, "i"), multiple(64, "x")));
    }

    #[test]
    fn ranges_are_read_in_both_ways() {
        let x = variable("x");
        let check = |formulas: &[Term], expected: Option<(i128, i128)>| {
            assert_eq!(ranges(formulas.iter()).get(&x).copied(), expected, "{formulas:?}");
        };
        let below = term::build::bv_slt(x, bv(8, 10));
        check(&[below], None);
        check(&[below, term::build::bv_sle(bv(8, 0), x)], Some((0, 9)));
        check(&[below, bv_ule(x, bv(8, 10))], Some((0, 9)));
        check(&[term::build::not(bv_ule(bv(8, 7), x))], Some((0, 6)));
    }
}
