//! IEEE floats.

use super::*;
use crate::{FloatFormat, Rounding, SortKind, float};

fn format_of(t: Term) -> FloatFormat {
    match t.sort().kind() {
        SortKind::Float(format) => *format,
        _ => panic!("{} is no float sort", t.sort()),
    }
}

/// The float with a bit pattern.
pub fn fp(format: FloatFormat, bits: u128) -> Term {
    Term::constant(Value::Float(format, bits))
}

fn bits_of(t: Term) -> Option<u128> {
    match t.value()? {
        Value::Float(_, bits) => Some(*bits),
        _ => None,
    }
}

fn is_one(t: Term) -> bool {
    bits_of(t).is_some_and(|bits| bits == float::one(format_of(t)))
}

fn is_zero(t: Term, negative: bool) -> bool {
    bits_of(t).is_some_and(|bits| bits == float::zero(format_of(t), negative))
}

/// Whether the zero that changes nothing when it is added is the negative one: -0 + +0 is +0, unless sums of opposites are -0.
fn neutral_is_negative(rounding: Rounding) -> bool {
    rounding != Rounding::TowardNegative
}

pub fn fp_add(rounding: Rounding, a: Term, b: Term) -> Term {
    let (a, b) = ordered(a, b);
    let is_neutral = is_zero(b, neutral_is_negative(rounding)) && a.sort() == b.sort();
    if is_neutral { a } else { pair(Op::FpAdd(rounding), a, b) }
}

pub fn fp_sub(rounding: Rounding, a: Term, b: Term) -> Term {
    let is_neutral = is_zero(b, !neutral_is_negative(rounding)) && a.sort() == b.sort();
    if is_neutral { a } else { pair(Op::FpSub(rounding), a, b) }
}

pub fn fp_mul(rounding: Rounding, a: Term, b: Term) -> Term {
    let (a, b) = ordered(a, b);
    if is_one(b) && a.sort() == b.sort() { a } else { pair(Op::FpMul(rounding), a, b) }
}

pub fn fp_div(rounding: Rounding, a: Term, b: Term) -> Term {
    if is_one(b) && a.sort() == b.sort() { a } else { pair(Op::FpDiv(rounding), a, b) }
}

/// IEEE remainder, as C's `remainder`.
pub fn fp_rem(a: Term, b: Term) -> Term {
    pair(Op::FpRem, a, b)
}

/// `x * y + z`, rounded once.
pub fn fp_fma(rounding: Rounding, x: Term, y: Term, z: Term) -> Term {
    let (x, y) = ordered(x, y);
    let op = Op::FpFma(rounding);
    let node = || Term::new(op.clone(), &[x, y, z]);
    let (Some(a), Some(b), Some(c)) = (x.value(), y.value(), z.value()) else { return node() };
    eval::apply(&op, &[a.clone(), b.clone(), c.clone()]).map_or_else(node, Term::constant)
}

pub fn fp_sqrt(rounding: Rounding, a: Term) -> Term {
    unary(Op::FpSqrt(rounding), a)
}

pub fn fp_neg(a: Term) -> Term {
    if *a.op() == Op::FpNeg { a.args()[0] } else { unary(Op::FpNeg, a) }
}

pub fn fp_abs(a: Term) -> Term {
    let Some(_level) = level() else { return Term::new(Op::FpAbs, &[a]) };
    match a.op() {
        Op::FpAbs => a,
        Op::FpNeg => fp_abs(a.args()[0]),
        _ => unary(Op::FpAbs, a),
    }
}

pub fn fp_round_to_integral(rounding: Rounding, a: Term) -> Term {
    if matches!(a.op(), Op::FpRoundToIntegral(_)) { a } else { unary(Op::FpRoundToIntegral(rounding), a) }
}

/// IEEE equality: NaN differs from all, +0 equals -0.
pub fn fp_eq(a: Term, b: Term) -> Term {
    let (a, b) = ordered(a, b);
    if a == b { not(fp_is_nan(a)) } else { pair(Op::FpEq, a, b) }
}

pub fn fp_lt(a: Term, b: Term) -> Term {
    if a == b { falsehood() } else { pair(Op::FpLt, a, b) }
}

pub fn fp_le(a: Term, b: Term) -> Term {
    if a == b { not(fp_is_nan(a)) } else { pair(Op::FpLe, a, b) }
}

pub fn fp_gt(a: Term, b: Term) -> Term {
    fp_lt(b, a)
}

pub fn fp_ge(a: Term, b: Term) -> Term {
    fp_le(b, a)
}

/// A question that the sign does not matter for.
fn about_magnitude(op: Op, a: Term) -> Term {
    let Some(_level) = level() else { return Term::new(op, &[a]) };
    match a.op() {
        Op::FpNeg | Op::FpAbs => about_magnitude(op, a.args()[0]),
        Op::BvToFp { .. } | Op::RealToFp(..) if op == Op::FpIsNan => falsehood(),
        _ => unary(op, a),
    }
}

pub fn fp_is_nan(a: Term) -> Term {
    about_magnitude(Op::FpIsNan, a)
}

pub fn fp_is_infinite(a: Term) -> Term {
    about_magnitude(Op::FpIsInfinite, a)
}

pub fn fp_is_zero(a: Term) -> Term {
    about_magnitude(Op::FpIsZero, a)
}

pub fn fp_is_normal(a: Term) -> Term {
    about_magnitude(Op::FpIsNormal, a)
}

pub fn fp_is_subnormal(a: Term) -> Term {
    about_magnitude(Op::FpIsSubnormal, a)
}

/// The sign bit of what is not NaN.
pub fn fp_is_negative(a: Term) -> Term {
    if *a.op() == Op::FpAbs { falsehood() } else { unary(Op::FpIsNegative, a) }
}

/// Float to float.
pub fn fp_to_fp(format: FloatFormat, rounding: Rounding, a: Term) -> Term {
    if format_of(a) == format { a } else { unary(Op::FpToFp(format, rounding), a) }
}

/// Signed or unsigned bit-vector to float.
pub fn bv_to_fp(format: FloatFormat, signed: bool, rounding: Rounding, a: Term) -> Term {
    unary(Op::BvToFp { format, signed, rounding }, a)
}

/// Float to bit-vector; see [`Op::FpToBv`] for what does not fit.
pub fn fp_to_bv(width: u32, signed: bool, rounding: Rounding, a: Term) -> Term {
    unary(Op::FpToBv { width, signed, rounding }, a)
}

/// The float of a bit pattern.
pub fn fp_from_bits(format: FloatFormat, a: Term) -> Term {
    match (a.op(), a.args()) {
        (Op::FpToBits, [x]) if format_of(*x) == format => *x,
        _ => unary(Op::FpFromBits(format), a),
    }
}

/// The bit pattern of a float.
pub fn fp_to_bits(a: Term) -> Term {
    unary(Op::FpToBits, a)
}

pub fn real_to_fp(format: FloatFormat, rounding: Rounding, a: Term) -> Term {
    unary(Op::RealToFp(format, rounding), a)
}

/// Infinities and NaN give 0.
pub fn fp_to_real(a: Term) -> Term {
    unary(Op::FpToReal, a)
}
