//! Ranges of floats of single and double precision.
//!
//! A float that is not NaN has a place in the order of all floats of its format: the bits of its magnitude, with its
//! sign. A range of places, as a range of integers with sign, is a range of floats. Both zeros have the place 0.
//! Places behind infinity are no floats: a range that reaches there is that of a float which may be NaN.
//!
//! Operations round to the nearest, which keeps orders: what they make of the ends of ranges are the ends of what
//! they make.

use super::range::{Bounds, Range};
use faults::Fault;
use term::{FloatFormat, Op, Rounding, SortKind, Term, Value, build};

/// The least and the greatest float, neither of which is NaN.
type Ends = (f64, f64);

/// The format of a float that is looked at.
pub fn format(term: Term) -> Option<FloatFormat> {
    match term.sort().kind() {
        SortKind::Float(format) if [FloatFormat::SINGLE, FloatFormat::DOUBLE].contains(format) => Some(*format),
        _ => None,
    }
}

fn is_single(format: FloatFormat) -> bool {
    format == FloatFormat::SINGLE
}

fn place(format: FloatFormat, number: f64) -> i128 {
    let magnitude = match is_single(format) {
        true => i128::from((number as f32).abs().to_bits()),
        false => i128::from(number.abs().to_bits()),
    };
    if number.is_sign_negative() { -magnitude } else { magnitude }
}

fn at(format: FloatFormat, place: i128) -> Option<f64> {
    let magnitude = place.unsigned_abs();
    let number = match is_single(format) {
        true => f64::from(f32::from_bits(u32::try_from(magnitude).ok()?)),
        false => f64::from_bits(u64::try_from(magnitude).ok()?),
    };
    (!number.is_nan()).then_some(if place < 0 { -number } else { number })
}

/// The places of infinities, between which all floats lie.
pub fn places(format: FloatFormat) -> Bounds {
    let most = place(format, f64::INFINITY);
    (-most, most)
}

/// All that is not NaN.
pub fn ordered(format: FloatFormat) -> Range {
    range(format, (f64::NEG_INFINITY, f64::INFINITY)).unwrap_or(Range::all(format.width()))
}

/// The place of a constant.
pub fn constant_place(value: &Value) -> Option<i128> {
    let Value::Float(format, bits) = value else { return None };
    let number = match *format {
        FloatFormat::SINGLE => f64::from(f32::from_bits(*bits as u32)),
        FloatFormat::DOUBLE => f64::from_bits(*bits as u64),
        _ => return None,
    };
    (!number.is_nan()).then(|| place(*format, number))
}

fn range(format: FloatFormat, ends: Ends) -> Option<Range> {
    Range::of_signed(format.width(), (place(format, ends.0), place(format, ends.1)))
}

/// The ends of a range; nothing, if the float may be NaN.
fn ends(format: FloatFormat, range: Range) -> Option<Ends> {
    Some((at(format, range.signed.0)?, at(format, range.signed.1)?))
}

fn has_zero((least, greatest): Ends) -> bool {
    least <= 0.0 && greatest >= 0.0
}

fn is_finite((least, greatest): Ends) -> bool {
    least.is_finite() && greatest.is_finite()
}

/// One operation on numbers, rounded as the format's is.
fn apply(op: &Op, format: FloatFormat, a: f64, b: f64) -> Option<f64> {
    let (x, y) = (a as f32, b as f32);
    let result = match (op, is_single(format)) {
        (Op::FpAdd(_), true) => f64::from(x + y),
        (Op::FpAdd(_), false) => a + b,
        (Op::FpSub(_), true) => f64::from(x - y),
        (Op::FpSub(_), false) => a - b,
        (Op::FpMul(_), true) => f64::from(x * y),
        (Op::FpMul(_), false) => a * b,
        (Op::FpDiv(_), true) => f64::from(x / y),
        (Op::FpDiv(_), false) => a / b,
        _ => return None,
    };
    (!result.is_nan()).then_some(result)
}

/// What an operator makes of two ranges, if that is never NaN.
pub fn binary(op: &Op, format: FloatFormat, a: Range, b: Range) -> Option<Range> {
    let (Op::FpAdd(rounding) | Op::FpSub(rounding) | Op::FpMul(rounding) | Op::FpDiv(rounding)) = op else {
        return None;
    };
    if *rounding != Rounding::NearestEven {
        return None;
    }
    let (a, b) = (ends(format, a)?, ends(format, b)?);
    let may_be_nan = match op {
        Op::FpMul(_) => (has_zero(a) && !is_finite(b)) || (has_zero(b) && !is_finite(a)),
        Op::FpDiv(_) => has_zero(b) || (!is_finite(a) && !is_finite(b)),
        _ => !is_finite(a) && !is_finite(b),
    };
    if may_be_nan {
        return None;
    }
    let pairs = match op {
        Op::FpAdd(_) => vec![(a.0, b.0), (a.1, b.1)],
        Op::FpSub(_) => vec![(a.0, b.1), (a.1, b.0)],
        // As if both were positive.
        _ if faults::is(Fault::LostSign) => vec![(a.0, b.0), (a.1, b.1)],
        _ => vec![(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)],
    };
    let mut results = Vec::new();
    for (x, y) in pairs {
        results.push(apply(op, format, x, y)?);
    }
    let end = |pick: fn(f64, f64) -> f64| results.iter().copied().reduce(pick);
    range(format, (end(f64::min)?, end(f64::max)?))
}

/// What an operator makes of a range, if that is never NaN.
pub fn unary(op: &Op, format: FloatFormat, a: Range) -> Option<Range> {
    let a = ends(format, a)?;
    let made = match op {
        Op::FpNeg => (-a.1, -a.0),
        Op::FpAbs if has_zero(a) => (0.0, a.1.max(-a.0)),
        Op::FpAbs => (a.0.abs().min(a.1.abs()), a.0.abs().max(a.1.abs())),
        Op::FpSqrt(Rounding::NearestEven) if a.0 >= 0.0 => match is_single(format) {
            true => (f64::from((a.0 as f32).sqrt()), f64::from((a.1 as f32).sqrt())),
            false => (a.0.sqrt(), a.1.sqrt()),
        },
        Op::FpRoundToIntegral(rounding) => {
            let whole = |x: f64| match rounding {
                Rounding::NearestEven => x.round_ties_even(),
                Rounding::NearestAway => x.round(),
                Rounding::TowardZero => x.trunc(),
                Rounding::TowardPositive => x.ceil(),
                Rounding::TowardNegative => x.floor(),
            };
            (whole(a.0), whole(a.1))
        }
        _ => return None,
    };
    range(format, made)
}

/// The range in another format.
pub fn converted(from: FloatFormat, to: FloatFormat, a: Range) -> Option<Range> {
    let ends = ends(from, a)?;
    range(to, if is_single(to) { (f64::from(ends.0 as f32), f64::from(ends.1 as f32)) } else { ends })
}

/// The floats nearest to integers.
pub fn of_integers(format: FloatFormat, bounds: Bounds) -> Option<Range> {
    let nearest = |x: i128| if is_single(format) { f64::from(x as f32) } else { x as f64 };
    range(format, (nearest(bounds.0), nearest(bounds.1)))
}

/// The integers that floats are cut to, if all fit.
pub fn to_integers(format: FloatFormat, a: Range, width: u32, signed: bool) -> Option<Range> {
    let ends = ends(format, a).filter(|ends| is_finite(*ends))?;
    let bounds = (ends.0.trunc() as i128, ends.1.trunc() as i128);
    let all = Range::all(width);
    let room = if signed { all.signed } else { all.unsigned };
    let fits = room.0 <= bounds.0 && bounds.1 <= room.1;
    fits.then(|| if signed { Range::of_signed(width, bounds) } else { Range::of_unsigned(width, bounds) })?
}

/// A range as a formula.
pub fn formula(variable: Term, format: FloatFormat, range: &Range) -> Term {
    let constant = |number: f64| match is_single(format) {
        true => build::fp(format, u128::from((number as f32).to_bits())),
        false => build::fp(format, u128::from(number.to_bits())),
    };
    match ends(format, *range) {
        None => build::truth(),
        Some((f64::NEG_INFINITY, f64::INFINITY)) => build::not(build::fp_is_nan(variable)),
        Some((least, greatest)) => {
            let bounds = [build::fp_le(constant(least), variable), build::fp_le(variable, constant(greatest))];
            build::and(bounds)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intervals::{Evaluator, State, assume};
    use term::Sort;
    use term::eval::evaluate;

    /// Whatever operators make of floats lies in the range that is computed, and conditions exclude no floats of
    /// which they hold.
    #[test]
    fn ranges_include_all_floats() {
        let numbers = [0.0, -0.0, 1.0, 0.1, -3.5, 100.0, 1e-44, -1e-310, 3.4e38, -1.7e308, f64::INFINITY, f64::NAN];
        let nearest = Rounding::NearestEven;
        for format in [FloatFormat::SINGLE, FloatFormat::DOUBLE] {
            let bits = |x: f64| if is_single(format) { u128::from((x as f32).to_bits()) } else { x.to_bits().into() };
            let values = numbers.map(|x| Value::Float(format, term::float::canonical(format, bits(x))));
            let [x, y] = ["x", "y"].map(|name| Term::var(name, Sort::float(format)));
            let binary = [Op::FpAdd(nearest), Op::FpSub(nearest), Op::FpMul(nearest), Op::FpDiv(nearest)];
            let mut terms: Vec<Term> = binary.iter().map(|op| Term::new(op.clone(), &[x, y])).collect();
            terms.extend([Op::FpLt, Op::FpLe, Op::FpEq, Op::Eq].map(|op| Term::new(op, &[x, y])));
            terms.extend([Op::FpNeg, Op::FpAbs, Op::FpSqrt(nearest), Op::FpIsNan].map(|op| Term::new(op, &[x])));
            terms.push(Term::new(Op::FpToBv { width: 8, signed: true, rounding: Rounding::TowardZero }, &[x]));
            let ranges: Vec<Option<Range>> = numbers
                .iter()
                .flat_map(|a| numbers.iter().map(move |b| (*a, *b)))
                .filter(|(a, b)| a <= b)
                .map(|ends| range(format, ends))
                .chain([None])
                .collect();
            let has = |range: Option<&Range>, value: &Value| match (range, constant_place(value)) {
                (None, _) => true,
                (Some(range), Some(place)) => range.signed.0 <= place && place <= range.signed.1,
                (Some(range), None) => range.is_all(),
            };
            for (a, b) in ranges.iter().flat_map(|a| ranges.iter().map(move |b| (a, b))) {
                let known = [(x, a), (y, b)].into_iter().filter_map(|(variable, range)| Some((variable, (*range)?)));
                let state = State::from_iter(known);
                let mut evaluator = Evaluator::new(&state);
                for term in &terms {
                    let found = evaluator.range(*term).expect("a range");
                    let after =
                        [false, true].map(|truth| (found.width == 1).then(|| assume(&state, *term, truth)).flatten());
                    for (i, j) in values.iter().flat_map(|i| values.iter().map(move |j| (i, j))) {
                        if !has(a.as_ref(), i) || !has(b.as_ref(), j) {
                            continue;
                        }
                        let value = |variable| Some(if variable == x { i.clone() } else { j.clone() });
                        let result = evaluate(*term, &value).expect("a value");
                        let is_in = match (&result, result.as_bool(), result.as_bv()) {
                            (_, Some(truth), _) => {
                                let state = after[usize::from(truth)].as_ref();
                                let allows = |state: &State| has(state.get(&x), i) && has(state.get(&y), j);
                                found.single().is_none_or(|only| only == i128::from(truth)) && state.is_some_and(allows)
                            }
                            (_, _, Some(number)) => {
                                found.signed.0 <= number.signed() && number.signed() <= found.signed.1
                            }
                            _ => has(Some(&found), &result),
                        };
                        assert!(is_in, "{term} of {i:?} and {j:?} is {result:?}, not in {found:?}");
                    }
                }
            }
        }
    }
}
