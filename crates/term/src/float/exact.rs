//! Floats as exact numbers, and rounding back: every operation is exact arithmetic followed by one rounding.

use super::{from_hidden, infinity, zero};
use crate::{FloatFormat, Rounding};
use dashu::base::BitTest;
use dashu::integer::UBig;

/// What a bit pattern stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Number {
    Nan,
    Infinite { negative: bool },
    Finite(Finite),
}

/// `significand` times two to the `exponent`, with a sign (zero too has one).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Finite {
    pub negative: bool,
    pub significand: u128,
    pub exponent: i64,
}

/// The exponent of the unit in the last place of subnormal numbers: no number has a finer one.
fn least_exponent(format: FloatFormat) -> i64 {
    3 - (1 << (format.exponent - 1)) - i64::from(format.significand)
}

/// The exponent of the leading bit of the greatest finite numbers.
fn greatest_exponent(format: FloatFormat) -> i64 {
    (1 << (format.exponent - 1)) - 1
}

/// The number of a canonical bit pattern.
pub(super) fn unpack(format: FloatFormat, bits: u128) -> Number {
    let fraction_bits = format.significand - 1;
    let negative = bits >> (format.width() - 1) & 1 == 1;
    let fraction = bits & ((1 << fraction_bits) - 1);
    let exponent_at = if format == FloatFormat::EXTENDED { 64 } else { fraction_bits };
    let biased = bits >> exponent_at & ((1 << format.exponent) - 1);
    if biased == (1 << format.exponent) - 1 {
        return if fraction == 0 { Number::Infinite { negative } } else { Number::Nan };
    }
    let (significand, exponent) = match biased {
        0 => (fraction, least_exponent(format)),
        _ => (fraction | 1 << fraction_bits, least_exponent(format) + biased as i64 - 1),
    };
    Number::Finite(Finite { negative, significand, exponent })
}

/// The float nearest, in the sense of `rounding`, to a number. If `sticky`, the number is a little greater in magnitude
/// than `exact` says: by less than one unit of its exponent; then `exact` has two bits more than the format.
pub(super) fn round(format: FloatFormat, rounding: Rounding, exact: Finite, sticky: bool) -> u128 {
    let Finite { negative, significand, exponent } = exact;
    if significand == 0 && !sticky {
        return zero(format, negative);
    }
    let precision = i64::from(format.significand);
    let leading = exponent + i64::from(u128::BITS - significand.leading_zeros()) - 1;
    // The exponent of the last place that the result has.
    let last = (leading - precision + 1).max(least_exponent(format));
    let dropped = last - exponent;
    debug_assert!(!sticky || dropped > 0);
    let (kept, half, below) = match dropped {
        ..=0 => (significand << -dropped, false, false),
        1..=127 => {
            let half = significand >> (dropped - 1) & 1 == 1;
            (significand >> dropped, half, sticky || significand & ((1 << (dropped - 1)) - 1) != 0)
        }
        128 => (0, significand >> 127 == 1, sticky || significand << 1 != 0),
        _ => (0, false, true),
    };
    let up = rounds_up(rounding, negative, kept & 1 == 1, half, below);
    pack(format, rounding, negative, kept + u128::from(up), last)
}

/// Whether a magnitude is rounded up, given whether the kept part is odd, the first dropped bit, and whether anything
/// else was dropped.
pub(super) fn rounds_up(rounding: Rounding, negative: bool, odd: bool, half: bool, below: bool) -> bool {
    match rounding {
        Rounding::NearestEven => half && (below || odd),
        Rounding::NearestAway => half,
        Rounding::TowardZero => false,
        Rounding::TowardPositive => !negative && (half || below),
        Rounding::TowardNegative => negative && (half || below),
    }
}

/// The bit pattern of `significand` (at most two to the precision) times two to `last`; too large a number overflows.
fn pack(format: FloatFormat, rounding: Rounding, negative: bool, significand: u128, last: i64) -> u128 {
    let fraction_bits = format.significand - 1;
    let (significand, last) =
        if significand >> format.significand != 0 { (significand >> 1, last + 1) } else { (significand, last) };
    if last + i64::from(fraction_bits) > greatest_exponent(format) {
        return overflow(format, rounding, negative);
    }
    // A subnormal number has the exponent field 0, which a missing hidden bit makes of the least exponent's field 1.
    let biased = (last - least_exponent(format)) as u128 + (significand >> fraction_bits);
    let fraction = significand & ((1 << fraction_bits) - 1);
    let sign = u128::from(negative) << (format.exponent + fraction_bits);
    from_hidden(format, sign | biased << fraction_bits | fraction)
}

fn overflow(format: FloatFormat, rounding: Rounding, negative: bool) -> u128 {
    let away = match rounding {
        Rounding::NearestEven | Rounding::NearestAway => true,
        Rounding::TowardZero => false,
        Rounding::TowardPositive => !negative,
        Rounding::TowardNegative => negative,
    };
    if away { infinity(format, negative) } else { greatest(format, negative) }
}

/// The greatest finite number.
fn greatest(format: FloatFormat, negative: bool) -> u128 {
    let fraction_bits = format.significand - 1;
    let magnitude = (((1u128 << format.exponent) - 1) << fraction_bits) - 1;
    from_hidden(format, u128::from(negative) << (format.exponent + fraction_bits) | magnitude)
}

/// [`round`] for a magnitude of any size.
pub(super) fn round_big(
    format: FloatFormat,
    rounding: Rounding,
    negative: bool,
    magnitude: UBig,
    exponent: i64,
    sticky: bool,
) -> u128 {
    let excess = magnitude.bit_len().saturating_sub(128);
    let sticky = sticky || (excess > 0 && magnitude.trailing_zeros().is_some_and(|zeros| zeros < excess));
    let significand = u128::try_from(magnitude >> excess).unwrap_or(u128::MAX);
    round(format, rounding, Finite { negative, significand, exponent: exponent + excess as i64 }, sticky)
}

/// The float nearest to a quotient of positive integers, times two to `exponent`.
pub(super) fn round_quotient(
    format: FloatFormat,
    rounding: Rounding,
    negative: bool,
    (numerator, denominator): (&UBig, &UBig),
    exponent: i64,
) -> u128 {
    let wanted = format.significand as usize + 3 + denominator.bit_len();
    let shift = wanted.saturating_sub(numerator.bit_len());
    let scaled = numerator << shift;
    let (quotient, remainder) = (&scaled / denominator, &scaled % denominator);
    round_big(format, rounding, negative, quotient, exponent - shift as i64, remainder != UBig::ZERO)
}

/// An exact sum, rounded. Zero is negative if both are, and the sum of opposites is `+0`, or `-0` if rounding is downward.
pub(super) fn sum(format: FloatFormat, rounding: Rounding, a: Finite, b: Finite) -> u128 {
    sum_big(
        format,
        rounding,
        (a.negative, a.significand.into(), a.exponent),
        (b.negative, b.significand.into(), b.exponent),
    )
}

/// [`sum`] for magnitudes of any size: sign, magnitude, exponent.
pub(super) fn sum_big(format: FloatFormat, rounding: Rounding, a: (bool, UBig, i64), b: (bool, UBig, i64)) -> u128 {
    let ((a_negative, a, a_exponent), (b_negative, b, b_exponent)) = (a, b);
    let of_opposites = zero(format, rounding == Rounding::TowardNegative);
    if a == UBig::ZERO && b == UBig::ZERO {
        return if a_negative == b_negative { zero(format, a_negative) } else { of_opposites };
    }
    let exponent = a_exponent.min(b_exponent);
    let a = a << (a_exponent - exponent) as usize;
    let b = b << (b_exponent - exponent) as usize;
    let (negative, magnitude) = match a.cmp(&b) {
        _ if a_negative == b_negative => (a_negative, a + b),
        std::cmp::Ordering::Equal => return of_opposites,
        std::cmp::Ordering::Greater => (a_negative, a - b),
        std::cmp::Ordering::Less => (b_negative, b - a),
    };
    round_big(format, rounding, negative, magnitude, exponent, false)
}

/// The integer nearest to a number, in the sense of `rounding`, as a magnitude. `None` if it has more than 128 bits.
pub(super) fn round_to_integer(rounding: Rounding, x: Finite) -> Option<u128> {
    let Finite { negative, significand, exponent } = x;
    if significand == 0 {
        return Some(0);
    }
    if exponent >= 0 {
        let fits = exponent <= i64::from(significand.leading_zeros());
        return fits.then(|| significand << exponent);
    }
    let (kept, half, below) = match -exponent {
        dropped @ 1..=127 => {
            let half = significand >> (dropped - 1) & 1 == 1;
            (significand >> dropped, half, significand & ((1 << (dropped - 1)) - 1) != 0)
        }
        // A significand has at most 113 bits.
        _ => (0, false, true),
    };
    Some(kept + u128::from(rounds_up(rounding, negative, kept & 1 == 1, half, below)))
}

/// An exact product: magnitude and exponent.
pub(super) fn product(x: Finite, y: Finite) -> (UBig, i64) {
    (UBig::from(x.significand) * UBig::from(y.significand), x.exponent + y.exponent)
}
