//! Bitwise operators and shifts on integers, exactly, where constants or ranges allow it.

use super::number::{Bounds, Number, Reading};
use term::build::{eq, int};
use term::{Bv, Op, Term};

/// A mask is taken apart into at most so many runs of ones.
const MOST_RUNS: usize = 4;
/// A shift by a variable is a choice among at most so many shifts by constants; of a constant among more.
const MOST_SHIFTS: i128 = 8;
const MOST_SHIFTS_OF_CONSTANT: i128 = 64;

/// The runs of ones of a mask: where each begins and how long it is.
fn runs(mask: u128) -> Vec<(u32, u32)> {
    let (mut runs, mut at) = (Vec::new(), 0);
    while let Some(rest) = mask.checked_shr(at).filter(|rest| *rest != 0) {
        at += rest.trailing_zeros();
        let length = (mask >> at).trailing_ones();
        runs.push((at, length));
        at += length;
    }
    runs
}

/// The bits of a number that a constant mask lets through: sums of its fields, or what the other fields leave of it.
fn masked(number: Number, mask: Bv) -> Option<Number> {
    let (ones, zeros) = (runs(mask.unsigned()), runs(!mask.unsigned() & Bv::mask(mask.width())));
    let fields = |runs: Vec<(u32, u32)>| {
        let field = |(low, length): (u32, u32)| number.field(low, length).shifted(low);
        runs.into_iter().map(field).reduce(Number::add).unwrap_or(Number::constant(number.width, 0))
    };
    match ones.len().min(zeros.len()) {
        more if more > MOST_RUNS => None,
        // What few low zeros leave has a quotient less than the high ones have.
        _ if zeros.len() < ones.len() || (zeros.len() == ones.len() && zeros.first().is_some_and(|run| run.0 == 0)) => {
            let bounds = Reading::Unsigned.bounds(number.width);
            let number = number.settled(Reading::Unsigned);
            let left = number.sub(fields(zeros));
            let most = bounds.map(|_| (0, mask.unsigned() as i128));
            Some(Number::new(number.width, left.whole, most))
        }
        _ => Some(fields(ones)),
    }
}

/// Whether all values are 0 or 1.
fn is_bit(bounds: Option<Bounds>) -> bool {
    bounds.is_some_and(|(low, high)| low >= 0 && high <= 1)
}

/// How many of the lowest bits of a term are known to be zero.
fn trailing_zeros(term: Term) -> u32 {
    let width = term.sort().bv_width().unwrap_or(0);
    match (term.op(), term.args()) {
        (Op::Const(value), _) => value.as_bv().map_or(0, |bits| bits.unsigned().trailing_zeros().min(width)),
        (Op::BvShl, [a, by]) => {
            let by = by.as_bv().map_or(0, |by| by.unsigned().min(128) as u32);
            (trailing_zeros(*a) + by).min(width)
        }
        (Op::Concat, [high, low]) => match trailing_zeros(*low) {
            zeros if Some(zeros) == low.sort().bv_width() => zeros + trailing_zeros(*high),
            zeros => zeros,
        },
        (Op::ZeroExtend(_), [a]) => trailing_zeros(*a),
        (Op::BvMul, [a, b]) => (trailing_zeros(*a) + trailing_zeros(*b)).min(width),
        _ => 0,
    }
}

/// Whether no bit can be one in both.
fn disjoint([a, b]: [Term; 2], bounds: [Option<Bounds>; 2]) -> bool {
    let below =
        |bounds: Option<Bounds>, bits: u32| bounds.is_some_and(|(low, high)| low >= 0 && high < 1 << bits.min(120));
    below(bounds[0], trailing_zeros(b)) || below(bounds[1], trailing_zeros(a))
}

/// A conjunction, disjunction or exclusive disjunction of the bits of two terms, whose numbers and ranges without sign are told.
pub fn bitwise(op: &Op, terms: [Term; 2], numbers: [Number; 2], bounds: [Option<Bounds>; 2]) -> Option<Number> {
    let [a, b] = numbers;
    let combined = |a: Number, b: Number, both: Number| match op {
        Op::BvAnd => both,
        Op::BvOr => a.add(b).sub(both),
        _ => a.add(b).sub(both.times(2)),
    };
    if disjoint(terms, bounds) {
        return Some(combined(a, b, Number::constant(a.width, 0)));
    }
    let with_mask = |a: Number, b: Number, mask: Term| Some(combined(a, b, masked(a, mask.as_bv()?)?));
    if let Some(known) = with_mask(a, b, terms[1]).or_else(|| with_mask(b, a, terms[0])) {
        return Some(known);
    }
    let with_bit = |a: Number, b: Number, bounds: Option<Bounds>| {
        let zero = eq(a.read(Reading::Unsigned), int(0));
        is_bit(bounds).then(|| combined(a, b, Number::choice(zero, Number::constant(a.width, 0), b.field(0, 1))))
    };
    with_bit(a, b, bounds[0]).or_else(|| with_bit(b, a, bounds[1]))
}

/// A shift by a constant.
fn shift_by(op: &Op, number: Number, by: u32) -> Number {
    match op {
        Op::BvShl if by >= number.width => Number::constant(number.width, 0),
        Op::BvShl => number.shifted(by),
        Op::BvLshr if by >= number.width => Number::constant(number.width, 0),
        Op::BvLshr => number.field(by, number.width - by),
        _ => {
            let signed = number.settled(Reading::Signed);
            signed.divided_by_power(by.min(number.width - 1))
        }
    }
}

/// A shift of a number, by one whose range without sign is told.
pub fn shift(op: &Op, number: Number, by: Number, bounds: Option<Bounds>, is_constant: bool) -> Option<Number> {
    let (low, high) = bounds?;
    let most = if is_constant { MOST_SHIFTS_OF_CONSTANT } else { MOST_SHIFTS };
    // Beyond the width all shifts are alike.
    let (low, high) = (low.min(number.width.into()), high.min(number.width.into()));
    if high - low >= most {
        return None;
    }
    let amount = by.read(Reading::Unsigned);
    let rest = shift_by(op, number, high as u32);
    let chosen = (low..high)
        .rev()
        .fold(rest, |rest, by| Number::choice(eq(amount, int(by)), shift_by(op, number, by as u32), rest));
    Some(chosen)
}

#[cfg(test)]
mod tests {
    use super::runs;

    #[test]
    fn masks_are_runs_of_ones() {
        assert_eq!(runs(0), []);
        assert_eq!(runs(0b1), [(0, 1)]);
        assert_eq!(runs(0b1110_0110), [(1, 2), (5, 3)]);
        assert_eq!(runs(u128::MAX), [(0, 128)]);
        assert_eq!(runs(1 << 127), [(127, 1)]);
    }
}
