//! The least and the greatest value of a term, from those of its symbols: interval arithmetic that decides comparisons without a solver.
//!
//! That a product stays inside the product of two ranges is one multiplication here, and hard work for a solver of bits. This is
//! written anew and shares nothing with the analysis that finds ranges, since it is what checks it.
//!
//! Invariant: the range of a term has every value that the term can have where the bounds hold, in both readings.

use crate::bounds::{Bounds, Range, meet};
use term::{Op, Term};

/// So deep is a term looked into: it may be a graph, and is walked as a tree.
const DEEPEST: u32 = 8;

/// The ranges of a term, read without and with sign.
type Both = [Range; 2];

impl Bounds {
    /// Whether a formula holds wherever the bounds do, as far as ranges tell.
    pub fn imply(&self, formula: Term) -> bool {
        let below = |left: Term, right: Term, reading: usize, gap: i128| {
            let (left, right) = (self.of_term(left, 0), self.of_term(right, 0));
            left.zip(right).is_some_and(|(left, right)| left[reading].1 + gap <= right[reading].0)
        };
        match (formula.op(), formula.args()) {
            (Op::And, parts) => parts.iter().all(|part| self.imply(*part)),
            (Op::Or, parts) => parts.iter().any(|part| self.imply(*part)),
            (Op::BvUle, [left, right]) => below(*left, *right, 0, 0),
            (Op::BvUlt, [left, right]) => below(*left, *right, 0, 1),
            (Op::BvSle, [left, right]) => below(*left, *right, 1, 0),
            (Op::BvSlt, [left, right]) => below(*left, *right, 1, 1),
            (Op::Not, [inner]) => match (inner.op(), inner.args()) {
                (Op::BvUle, [left, right]) => below(*right, *left, 0, 1),
                (Op::BvUlt, [left, right]) => below(*right, *left, 0, 0),
                (Op::BvSle, [left, right]) => below(*right, *left, 1, 1),
                (Op::BvSlt, [left, right]) => below(*right, *left, 1, 0),
                (Op::Eq, [left, right]) if left.sort().bv_width().is_some() => {
                    below(*left, *right, 0, 1) || below(*right, *left, 0, 1)
                }
                _ => formula.as_bool() == Some(true),
            },
            _ => formula.as_bool() == Some(true),
        }
    }

    /// The ranges of a machine integer; nothing, if it is no such or too wide.
    fn of_term(&self, term: Term, depth: u32) -> Option<Both> {
        let width = term.sort().bv_width().filter(|width| *width <= 64)?;
        let half = 1i128 << (width - 1);
        let all = [(0, 2 * half - 1), (-half, half - 1)];
        if let Some(value) = term.as_bv() {
            let (unsigned, signed) = (value.unsigned() as i128, value.signed());
            return Some([(unsigned, unsigned), (signed, signed)]);
        }
        if let Some(known) = self.of_symbol(term) {
            return Some(known);
        }
        if depth == DEEPEST || term.args().is_empty() {
            return Some(all);
        }
        let of = |argument: &Term| self.of_term(*argument, depth + 1);
        // A number that leaves a reading wraps around there, and may be anything.
        let fits = |found: Option<Range>, all: Range| found.filter(|range| all.0 <= range.0 && range.1 <= all.1);
        let exact = |unsigned: Option<Range>, signed: Option<Range>| {
            [fits(unsigned, all[0]).unwrap_or(all[0]), fits(signed, all[1]).unwrap_or(all[1])]
        };
        let both = |a: &Term, b: &Term, number: fn(Range, Range) -> Option<Range>| {
            let (a, b) = (of(a)?, of(b)?);
            Some(exact(number(a[0], b[0]), number(a[1], b[1])))
        };
        let by = |count: &Term| count.as_bv().map(|bv| bv.unsigned()).filter(|count| *count < u128::from(width));
        let found = match (term.op(), term.args()) {
            (Op::BvAdd, [a, b]) => both(a, b, |a, b| Some((a.0 + b.0, a.1 + b.1)))?,
            (Op::BvSub, [a, b]) => both(a, b, |a, b| Some((a.0 - b.1, a.1 - b.0)))?,
            (Op::BvMul, [a, b]) => both(a, b, product)?,
            (Op::BvNeg, [a]) => {
                let [_, signed] = of(a)?;
                exact(None, Some((-signed.1, -signed.0)))
            }
            (Op::BvShl, [a, count]) if by(count).is_some_and(|count| count < 63) => {
                let factor = 1i128 << by(count)?;
                let [unsigned, signed] = of(a)?;
                exact(product(unsigned, (factor, factor)), product(signed, (factor, factor)))
            }
            (Op::BvLshr, [a, count]) if by(count).is_some() => {
                let ([unsigned, _], count) = (of(a)?, by(count)?);
                exact(Some((unsigned.0 >> count, unsigned.1 >> count)), None)
            }
            (Op::BvAshr, [a, count]) if by(count).is_some() => {
                let ([_, signed], count) = (of(a)?, by(count)?);
                exact(None, Some((signed.0 >> count, signed.1 >> count)))
            }
            (Op::BvUdiv, [a, b]) => {
                let ([a, _], [b, _]) = (of(a)?, of(b)?);
                // Nothing divided by zero is all ones.
                exact((b.0 > 0).then(|| (a.0 / b.1, a.1 / b.0)), None)
            }
            (Op::BvSdiv, [a, b]) => {
                let ([_, a], [_, b]) = (of(a)?, of(b)?);
                let ends = [a.0, a.1].map(|a| [a / b.0.max(1), a / b.1.max(1)]).concat();
                let range = (ends.iter().copied().min()?, ends.iter().copied().max()?);
                exact(None, (b.0 > 0).then_some(range))
            }
            (Op::BvUrem, [a, b]) => {
                let ([a, _], [b, _]) = (of(a)?, of(b)?);
                exact(Some((0, if b.0 > 0 { a.1.min(b.1 - 1) } else { a.1 })), None)
            }
            (Op::BvSrem, [a, b]) => {
                let ([_, a], [_, b]) = (of(a)?, of(b)?);
                let most = b.1 - 1;
                exact(None, (b.0 > 0).then(|| (a.0.min(0).max(-most), a.1.max(0).min(most))))
            }
            (Op::BvAnd, [a, b]) => {
                let ([a, _], [b, _]) = (of(a)?, of(b)?);
                exact(Some((0, a.1.min(b.1))), None)
            }
            (Op::ZeroExtend(_), [a]) => {
                let [unsigned, _] = of(a)?;
                exact(Some(unsigned), None)
            }
            (Op::SignExtend(_), [a]) => {
                let [_, signed] = of(a)?;
                exact(None, Some(signed))
            }
            (Op::Ite, [_, a, b]) => {
                let (a, b) = (of(a)?, of(b)?);
                let join = |reading: usize| (a[reading].0.min(b[reading].0), a[reading].1.max(b[reading].1));
                [join(0), join(1)]
            }
            _ => all,
        };
        Some(same_readings(found, half))
    }
}

/// Where all numbers have one sign, each reading tells about the other.
fn same_readings([mut unsigned, mut signed]: Both, half: i128) -> Both {
    if unsigned.1 < half || signed.0 >= 0 {
        unsigned = meet(unsigned, signed);
        signed = unsigned;
    } else if unsigned.0 >= half || signed.1 < 0 {
        signed = meet(signed, (unsigned.0 - 2 * half, unsigned.1 - 2 * half));
        unsigned = (signed.0 + 2 * half, signed.1 + 2 * half);
    }
    [unsigned, signed]
}

fn product(a: Range, b: Range) -> Option<Range> {
    let ends = [a.0.checked_mul(b.0)?, a.0.checked_mul(b.1)?, a.1.checked_mul(b.0)?, a.1.checked_mul(b.1)?];
    Some((ends.iter().copied().min()?, ends.iter().copied().max()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::build::{bv, bv_sle, bv_slt, bv_ule, bv_ult, eq, make, not};
    use term::subst::substitute;
    use term::{Bv, Sort, Value};

    const WIDTH: u32 = 3;

    /// Whether a value and a number are as a formula says.
    type Compare = fn(Bv, Bv) -> bool;

    /// Whatever ranges imply of a term over two symbols holds for all values of these within their bounds.
    #[test]
    fn what_is_implied_holds_for_all_values() {
        let [x, y] = ["x", "y"].map(|name| Term::var(name, Sort::bv(WIDTH)));
        let binary = [
            Op::BvAdd,
            Op::BvSub,
            Op::BvMul,
            Op::BvUdiv,
            Op::BvSdiv,
            Op::BvUrem,
            Op::BvSrem,
            Op::BvAnd,
            Op::BvOr,
            Op::BvShl,
            Op::BvLshr,
            Op::BvAshr,
        ];
        let mut terms: Vec<Term> = binary.iter().map(|op| make(op, &[x, y])).collect();
        terms.extend(binary.iter().flat_map(|op| (1..4).map(|n| make(op, &[x, bv(WIDTH, n)]))));
        terms.extend([make(&Op::BvNeg, &[x]), make(&Op::Ite, &[bv_ule(x, y), x, y])]);
        let extended = [Op::SignExtend(2 * WIDTH), Op::ZeroExtend(2 * WIDTH)].map(|op| [x, y].map(|v| make(&op, &[v])));
        terms.extend(extended.iter().map(|[x, y]| make(&Op::BvMul, &[*x, *y])));
        // What each term is, for all values of both symbols.
        let pairs: Vec<(u128, u128)> = (0..8).flat_map(|i| (0..8).map(move |j| (i, j))).collect();
        let put = |term: Term, i: u128, j: u128| {
            substitute(term, |v| Some(Term::constant(Value::bv(WIDTH, if v == x { i } else { j }))))
        };
        let values: Vec<Vec<Bv>> = terms
            .iter()
            .map(|term| pairs.iter().map(|(i, j)| put(*term, *i, *j).as_bv().expect("a number")).collect())
            .collect();
        let bounds = |symbol: Term, low: u128, high: u128| {
            let [low, high] = [low, high].map(|n| bv(WIDTH, n));
            [[bv_ule(low, symbol), bv_ule(symbol, high)], [bv_sle(low, symbol), bv_sle(symbol, high)]]
        };
        let ranges = |symbol: Term| pairs.iter().flat_map(|(i, j)| bounds(symbol, *i, *j)).collect::<Vec<_>>();
        let mut implied = 0;
        for (number, of_x) in ranges(x).into_iter().enumerate() {
            for of_y in ranges(y).into_iter().skip(number % 31).step_by(31) {
                let known: Vec<Term> = of_x.into_iter().chain(of_y).collect();
                let holds = |(i, j): &(u128, u128)| known.iter().all(|k| put(*k, *i, *j).as_bool() == Some(true));
                let models: Vec<usize> = (0..pairs.len()).filter(|at| holds(&pairs[*at])).collect();
                let found = Bounds::of(&known);
                for (term, values) in terms.iter().zip(&values) {
                    let width = term.sort().bv_width().unwrap_or(0);
                    for n in (0..1 << width).step_by(if width > WIDTH { 7 } else { 1 }) {
                        let n = bv(width, n);
                        let number = n.as_bv().expect("a number");
                        let compared: [(Term, Compare); 5] = [
                            (bv_ule(*term, n), |v, n| v.unsigned() <= n.unsigned()),
                            (bv_ult(n, *term), |v, n| n.unsigned() < v.unsigned()),
                            (bv_sle(n, *term), |v, n| n.signed() <= v.signed()),
                            (bv_slt(*term, n), |v, n| v.signed() < n.signed()),
                            (eq(*term, n), |v, n| v.unsigned() == n.unsigned()),
                        ];
                        for (formula, is_so) in compared {
                            for (formula, truth) in [(formula, true), (not(formula), false)] {
                                if !models.is_empty() && found.imply(formula) {
                                    implied += 1;
                                    let holds = models.iter().all(|at| is_so(values[*at], number) == truth);
                                    assert!(holds, "{known:?}: {formula}");
                                }
                            }
                        }
                    }
                }
            }
        }
        assert!(implied > 10_000, "{implied} were implied");
    }
}
