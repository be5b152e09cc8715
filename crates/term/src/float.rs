//! IEEE 754 floats on raw bit patterns, for evaluation and interpretation.
//!
//! Operands are canonical bit patterns (see [`canonical`]), and so are results. Single and double, rounded to the nearest, run on
//! the machine's own arithmetic, which is exactly this; all else on exact integers.

mod exact;
mod soft;

use crate::{FloatFormat, Rounding, bits};
use dashu::base::{BitTest, Sign, UnsignedAbs};
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use exact::{Finite, Number, round, round_big, round_quotient, round_to_integer, unpack};

/// The one NaN of a format: positive, quiet, with no payload.
pub fn nan(format: FloatFormat) -> u128 {
    let exponent = ((1u128 << format.exponent) - 1) << (format.significand - 1);
    from_hidden(format, exponent | 1 << (format.significand - 2))
}

/// Zero of either sign.
pub fn zero(format: FloatFormat, negative: bool) -> u128 {
    u128::from(negative) << (format.width() - 1)
}

/// One.
pub fn one(format: FloatFormat) -> u128 {
    let bias = (1u128 << (format.exponent - 1)) - 1;
    from_hidden(format, bias << (format.significand - 1))
}

/// Infinity of either sign.
pub fn infinity(format: FloatFormat, negative: bool) -> u128 {
    let exponent = ((1u128 << format.exponent) - 1) << (format.significand - 1);
    from_hidden(format, u128::from(negative) << (format.exponent + format.significand - 1) | exponent)
}

/// The bit pattern of a format, from the one with the integer bit hidden, as all formats but x87's have it in memory.
pub(crate) fn from_hidden(format: FloatFormat, bits: u128) -> u128 {
    if format != FloatFormat::EXTENDED {
        return bits;
    }
    let fraction = bits & ((1 << 63) - 1);
    let upper = bits >> 63;
    let integer = u128::from(upper & 0x7fff != 0);
    upper << 64 | integer << 63 | fraction
}

/// The bit pattern that stands for the same float: of NaNs, and of x87's patterns that are none, the one NaN.
pub fn canonical(format: FloatFormat, bits: u128) -> u128 {
    let fraction_bits = format.significand - 1;
    let fraction = bits & ((1 << fraction_bits) - 1);
    let above = bits >> fraction_bits;
    if format != FloatFormat::EXTENDED {
        let special = (1u128 << format.exponent) - 1;
        return if above & special == special && fraction != 0 { nan(format) } else { bits };
    }
    let (integer, exponent) = (above & 1, (above >> 1) & 0x7fff);
    match (exponent, integer) {
        (0, 0) => bits,
        // A pseudo-denormal has the value of the least normal exponent.
        (0, _) => bits | 1 << 64,
        (_, 0) => nan(format),
        (0x7fff, _) if fraction != 0 => nan(format),
        _ => bits,
    }
}

fn single(a: u128) -> f32 {
    f32::from_bits(a as u32)
}

fn double(a: u128) -> f64 {
    f64::from_bits(a as u64)
}

fn of_single(x: f32) -> u128 {
    if x.is_nan() { nan(FloatFormat::SINGLE) } else { x.to_bits().into() }
}

fn of_double(x: f64) -> u128 {
    if x.is_nan() { nan(FloatFormat::DOUBLE) } else { x.to_bits().into() }
}

pub fn add(format: FloatFormat, rounding: Rounding, a: u128, b: u128) -> u128 {
    match (format, rounding) {
        (FloatFormat::SINGLE, Rounding::NearestEven) => of_single(single(a) + single(b)),
        (FloatFormat::DOUBLE, Rounding::NearestEven) => of_double(double(a) + double(b)),
        _ => soft::add(format, rounding, a, b),
    }
}

pub fn sub(format: FloatFormat, rounding: Rounding, a: u128, b: u128) -> u128 {
    add(format, rounding, a, neg(format, b))
}

pub fn mul(format: FloatFormat, rounding: Rounding, a: u128, b: u128) -> u128 {
    match (format, rounding) {
        (FloatFormat::SINGLE, Rounding::NearestEven) => of_single(single(a) * single(b)),
        (FloatFormat::DOUBLE, Rounding::NearestEven) => of_double(double(a) * double(b)),
        _ => soft::mul(format, rounding, a, b),
    }
}

pub fn div(format: FloatFormat, rounding: Rounding, a: u128, b: u128) -> u128 {
    match (format, rounding) {
        (FloatFormat::SINGLE, Rounding::NearestEven) => of_single(single(a) / single(b)),
        (FloatFormat::DOUBLE, Rounding::NearestEven) => of_double(double(a) / double(b)),
        _ => soft::div(format, rounding, a, b),
    }
}

/// `a - b * n`, where n is the integer nearest to the exact quotient, the even one of two.
pub fn rem(format: FloatFormat, a: u128, b: u128) -> u128 {
    let (x, y) = match (unpack(format, a), unpack(format, b)) {
        (Number::Finite(x), Number::Finite(y)) if y.significand != 0 => (x, y),
        (Number::Finite(_), Number::Infinite { .. }) => return a,
        _ => return nan(format),
    };
    let exponent = x.exponent.min(y.exponent);
    let scale = |z: Finite| UBig::from(z.significand) << (z.exponent - exponent) as usize;
    let (p, q) = (scale(x), scale(y));
    let (quotient, rest) = (&p / &q, &p % &q);
    let twice = &rest << 1;
    let rounded_up = twice > q || (twice == q && quotient.bit(0));
    let (negative, magnitude) = if rounded_up { (!x.negative, q - rest) } else { (x.negative, rest) };
    round_big(format, Rounding::NearestEven, negative, magnitude, exponent, false)
}

/// `a * b + c`, rounded once.
pub fn fma(format: FloatFormat, rounding: Rounding, a: u128, b: u128, c: u128) -> u128 {
    match (format, rounding) {
        (FloatFormat::SINGLE, Rounding::NearestEven) => of_single(single(a).mul_add(single(b), single(c))),
        (FloatFormat::DOUBLE, Rounding::NearestEven) => of_double(double(a).mul_add(double(b), double(c))),
        _ => soft::fma(format, rounding, a, b, c),
    }
}

pub fn sqrt(format: FloatFormat, rounding: Rounding, a: u128) -> u128 {
    match (format, rounding) {
        (FloatFormat::SINGLE, Rounding::NearestEven) => of_single(single(a).sqrt()),
        (FloatFormat::DOUBLE, Rounding::NearestEven) => of_double(double(a).sqrt()),
        _ => soft::sqrt(format, rounding, a),
    }
}

pub fn neg(format: FloatFormat, a: u128) -> u128 {
    if is_nan(format, a) { a } else { a ^ zero(format, true) }
}

pub fn abs(format: FloatFormat, a: u128) -> u128 {
    a & !zero(format, true)
}

pub fn round_to_integral(format: FloatFormat, rounding: Rounding, a: u128) -> u128 {
    match unpack(format, a) {
        Number::Finite(x) if x.exponent < 0 => {
            let significand = round_to_integer(rounding, x).unwrap_or_default();
            round(format, rounding, Finite { negative: x.negative, significand, exponent: 0 }, false)
        }
        _ => a,
    }
}

/// The bits of the magnitude, which are ordered as the magnitudes are.
fn magnitude(format: FloatFormat, a: u128) -> u128 {
    a & !zero(format, true)
}

/// The sign bit.
fn is_signed(format: FloatFormat, a: u128) -> bool {
    a & zero(format, true) != 0
}

/// A number ordered as the floats other than NaN are; both zeros are 0.
fn rank(format: FloatFormat, a: u128) -> (bool, u128) {
    match magnitude(format, a) {
        0 => (true, 0),
        magnitude if is_signed(format, a) => (false, !magnitude),
        magnitude => (true, magnitude),
    }
}

/// IEEE equality: NaN differs from all, +0 equals -0.
pub fn eq(format: FloatFormat, a: u128, b: u128) -> bool {
    !is_nan(format, a) && !is_nan(format, b) && rank(format, a) == rank(format, b)
}

pub fn lt(format: FloatFormat, a: u128, b: u128) -> bool {
    !is_nan(format, a) && !is_nan(format, b) && rank(format, a) < rank(format, b)
}

pub fn le(format: FloatFormat, a: u128, b: u128) -> bool {
    !is_nan(format, a) && !is_nan(format, b) && rank(format, a) <= rank(format, b)
}

pub fn is_nan(format: FloatFormat, a: u128) -> bool {
    a == nan(format)
}

pub fn is_infinite(format: FloatFormat, a: u128) -> bool {
    magnitude(format, a) == infinity(format, false)
}

pub fn is_zero(format: FloatFormat, a: u128) -> bool {
    magnitude(format, a) == 0
}

pub fn is_normal(format: FloatFormat, a: u128) -> bool {
    let least = from_hidden(format, 1 << (format.significand - 1));
    (least..infinity(format, false)).contains(&magnitude(format, a))
}

pub fn is_subnormal(format: FloatFormat, a: u128) -> bool {
    let least = from_hidden(format, 1 << (format.significand - 1));
    (1..least).contains(&magnitude(format, a))
}

/// The sign bit of what is not NaN.
pub fn is_negative(format: FloatFormat, a: u128) -> bool {
    !is_nan(format, a) && is_signed(format, a)
}

/// Float to float.
pub fn convert(from: FloatFormat, to: FloatFormat, rounding: Rounding, a: u128) -> u128 {
    match unpack(from, a) {
        Number::Nan => nan(to),
        Number::Infinite { negative } => infinity(to, negative),
        Number::Finite(x) => round(to, rounding, x, false),
    }
}

/// The float of a bit-vector.
pub fn from_bv(format: FloatFormat, rounding: Rounding, width: u32, signed: bool, a: u128) -> u128 {
    let negative = signed && a & bits::signed_min(width) != 0;
    let significand = if negative { bits::neg(width, a) } else { a };
    round(format, rounding, Finite { negative, significand, exponent: 0 }, false)
}

/// The bit-vector of a float, rounded to an integer; 10...0 for what does not fit, and for NaN.
pub fn to_bv(format: FloatFormat, rounding: Rounding, width: u32, signed: bool, a: u128) -> u128 {
    let rounded = match unpack(format, a) {
        Number::Finite(x) => round_to_integer(rounding, x).map(|magnitude| (x.negative, magnitude)),
        _ => None,
    };
    let fits = |(negative, magnitude): &(bool, u128)| match (signed, negative) {
        (true, true) => *magnitude <= bits::signed_min(width),
        (true, false) => *magnitude <= bits::signed_max(width),
        (false, true) => *magnitude == 0,
        (false, false) => *magnitude <= bits::mask(width),
    };
    match rounded.filter(fits) {
        Some((true, magnitude)) => bits::neg(width, magnitude),
        Some((false, magnitude)) => magnitude,
        None => bits::signed_min(width),
    }
}

/// The float nearest to a real number.
pub fn from_real(format: FloatFormat, rounding: Rounding, a: &RBig) -> u128 {
    let negative = a.numerator().sign() == Sign::Negative;
    let numerator: UBig = a.numerator().unsigned_abs();
    if numerator == UBig::ZERO {
        return zero(format, false);
    }
    round_quotient(format, rounding, negative, (&numerator, a.denominator()), 0)
}

/// The number that a float is; 0 for infinities and NaN.
pub fn to_real(format: FloatFormat, a: u128) -> RBig {
    let Number::Finite(x) = unpack(format, a) else { return RBig::ZERO };
    let significand = if x.negative { -IBig::from(x.significand) } else { x.significand.into() };
    if x.exponent >= 0 {
        RBig::from(significand << x.exponent as usize)
    } else {
        RBig::from_parts(significand, UBig::ONE << (-x.exponent) as usize)
    }
}

#[cfg(test)]
mod tests;
