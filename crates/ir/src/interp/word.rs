//! Operations of the machine: on vectors of up to 64 bits, and on single and double floats.
//!
//! Vectors lie in words whose bits above the width are zero. All NaNs are one bit pattern.

use super::instr::{Real, Wide};
use term::bits;

#[inline(always)]
pub(super) fn mask(w: u8) -> u64 {
    u64::MAX >> (64 - w)
}

#[inline(always)]
pub(super) fn signed(w: u8, a: u64) -> i64 {
    let shift = 64 - w;
    ((a << shift) as i64) >> shift
}

#[inline(always)]
pub(super) fn udiv(w: u8, a: u64, b: u64) -> u64 {
    a.checked_div(b).unwrap_or(mask(w))
}

#[inline(always)]
pub(super) fn urem(a: u64, b: u64) -> u64 {
    a.checked_rem(b).unwrap_or(a)
}

#[inline(always)]
pub(super) fn sdiv(w: u8, a: u64, b: u64) -> u64 {
    let (x, y) = (signed(w, a), signed(w, b));
    let quotient = match y {
        0 if x < 0 => 1,
        0 => -1,
        _ => x.wrapping_div(y),
    };
    quotient as u64 & mask(w)
}

#[inline(always)]
pub(super) fn srem(w: u8, a: u64, b: u64) -> u64 {
    let (x, y) = (signed(w, a), signed(w, b));
    let remainder = if y == 0 { x } else { x.wrapping_rem(y) };
    remainder as u64 & mask(w)
}

#[inline(always)]
pub(super) fn shl(w: u8, a: u64, b: u64) -> u64 {
    if b >= u64::from(w) { 0 } else { a << b & mask(w) }
}

#[inline(always)]
pub(super) fn lshr(w: u8, a: u64, b: u64) -> u64 {
    if b >= u64::from(w) { 0 } else { a >> b }
}

#[inline(always)]
pub(super) fn ashr(w: u8, a: u64, b: u64) -> u64 {
    (signed(w, a) >> b.min(u64::from(w) - 1)) as u64 & mask(w)
}

/// An operation on vectors of more than 64 bits.
pub(super) fn wide(op: Wide, w: u8, a: u128, b: u128) -> u128 {
    let w = u32::from(w);
    match op {
        Wide::Add => bits::add(w, a, b),
        Wide::Sub => bits::sub(w, a, b),
        Wide::Mul => bits::mul(w, a, b),
        Wide::Neg => bits::neg(w, a),
        Wide::Not => bits::not(w, a),
        Wide::Udiv => bits::udiv(w, a, b),
        Wide::Sdiv => bits::sdiv(w, a, b),
        Wide::Urem => bits::urem(w, a, b),
        Wide::Srem => bits::srem(w, a, b),
        Wide::Shl => bits::shl(w, a, b),
        Wide::Lshr => bits::lshr(w, a, b),
        Wide::Ashr => bits::ashr(w, a, b),
        Wide::Slt => bits::slt(w, a, b).into(),
        Wide::Sle => bits::sle(w, a, b).into(),
    }
}

/// Defines the operations on one of the machine's formats.
macro_rules! float {
    ($name:ident, $float:ty, $bits:ty, $other:ty, $nan:expr, $other_nan:expr) => {
        pub(super) fn $name(op: Real, w: u8, a: u64, b: u64) -> u64 {
            let (x, y) = (<$float>::from_bits(a as $bits), <$float>::from_bits(b as $bits));
            let float = |f: $float| if f.is_nan() { $nan } else { u64::from(f.to_bits()) };
            match op {
                Real::Add => float(x + y),
                Real::Sub => float(x - y),
                Real::Mul => float(x * y),
                Real::Div => float(x / y),
                Real::Sqrt => float(x.sqrt()),
                Real::Neg => float(-x),
                Real::Abs => float(x.abs()),
                Real::Eq => (x == y).into(),
                Real::Lt => (x < y).into(),
                Real::Le => (x <= y).into(),
                Real::IsNan => x.is_nan().into(),
                Real::IsInfinite => x.is_infinite().into(),
                Real::IsZero => (x == 0.0).into(),
                Real::IsNormal => x.is_normal().into(),
                Real::IsSubnormal => x.is_subnormal().into(),
                Real::IsNegative => (x.is_sign_negative() && !x.is_nan()).into(),
                Real::Nearest => float(x.round_ties_even()),
                Real::Away => float(x.round()),
                Real::Truncate => float(x.trunc()),
                Real::Ceiling => float(x.ceil()),
                Real::Floor => float(x.floor()),
                Real::FromBits => float(x),
                Real::Convert => {
                    let converted = x as $other;
                    if converted.is_nan() { $other_nan } else { u64::from(converted.to_bits()) }
                }
                Real::FromSigned => float(signed(w, a) as $float),
                Real::FromUnsigned => float(a as $float),
                Real::ToSigned => to_vector(f64::from(x), w, true),
                Real::ToUnsigned => to_vector(f64::from(x), w, false),
            }
        }
    };
}

const SINGLE_NAN: u64 = 0x7fc0_0000;
const DOUBLE_NAN: u64 = 0x7ff8_0000_0000_0000;

float!(single, f32, u32, f64, SINGLE_NAN, DOUBLE_NAN);
float!(double, f64, u64, f32, DOUBLE_NAN, SINGLE_NAN);

/// Cuts off the fraction; what does not fit gives 10...0.
fn to_vector(x: f64, w: u8, is_signed: bool) -> u64 {
    let whole = x.trunc();
    let power = |n: u8| 2f64.powi(i32::from(n));
    let (least, limit) = if is_signed { (-power(w - 1), power(w - 1)) } else { (0.0, power(w)) };
    if !(whole >= least && whole < limit) {
        1 << (w - 1)
    } else if is_signed {
        whole as i64 as u64 & mask(w)
    } else {
        whole as u64
    }
}
