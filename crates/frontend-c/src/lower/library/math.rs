//! Functions on floats that can be computed exactly.

use super::support::{EDOM, ERANGE};
use super::{Call, Expand};
use crate::lower::convert::float_to_int;
use crate::lower::value::Value;
use crate::lower::writer::Writer;
use crate::types::Scalar;
use term::{Rounding, SortKind, Term, build};

pub(super) fn known(name: &str) -> Option<Expand> {
    by_name(name).or_else(|| by_name(name.strip_suffix(['f', 'l'])?))
}

fn by_name(name: &str) -> Option<Expand> {
    Some(match name {
        "fabs" => magnitude,
        "sqrt" => square_root,
        "floor" => |writer, call| unary(writer, call, |x| build::fp_round_to_integral(Rounding::TowardNegative, x)),
        "ceil" => |writer, call| unary(writer, call, |x| build::fp_round_to_integral(Rounding::TowardPositive, x)),
        "trunc" => |writer, call| unary(writer, call, |x| build::fp_round_to_integral(Rounding::TowardZero, x)),
        "round" => |writer, call| unary(writer, call, |x| build::fp_round_to_integral(Rounding::NearestAway, x)),
        "rint" | "nearbyint" => |writer, call| rounded(writer, call, build::fp_round_to_integral),
        "roundeven" => |writer, call| unary(writer, call, |x| build::fp_round_to_integral(Rounding::NearestEven, x)),
        "lrint" | "llrint" => |writer, call| to_integer(writer, call, None),
        "lround" | "llround" => |writer, call| to_integer(writer, call, Some(Rounding::NearestAway)),
        "fmin" => |writer, call| binary(writer, call, |x, y| choose(x, y, build::fp_lt(y, x))),
        "fmax" => |writer, call| binary(writer, call, |x, y| choose(x, y, build::fp_lt(x, y))),
        "fdim" => positive_difference,
        "fmod" => |writer, call| division(writer, call, modulo),
        "remainder" | "drem" => |writer, call| division(writer, call, build::fp_rem),
        "fma" => fma,
        "copysign" => copysign,
        "isnan" | "__isnan" => |writer, call| question(writer, call, build::fp_is_nan),
        "isinf" | "__isinf" => sign_of_infinity,
        "isinf_sign" | "__builtin_isinf_sign" => sign_of_infinity,
        "finite" | "__finite" | "isfinite" => |writer, call| {
            question(writer, call, |x| build::not(build::or([build::fp_is_nan(x), build::fp_is_infinite(x)])))
        },
        "isnormal" | "__isnormal" => |writer, call| question(writer, call, build::fp_is_normal),
        "__signbit" | "signbit" => signbit,
        "__fpclassify" | "fpclassify" => classify,
        "fegetround" => crate::lower::rounding::get,
        "fesetround" => crate::lower::rounding::set,
        _ => return None,
    })
}

/// A float argument.
fn float(call: &Call, n: usize) -> Option<Term> {
    match call.arguments.get(n)?.value {
        Value::Scalar(x) if matches!(x.sort().kind(), SortKind::Float(_)) => Some(x),
        _ => None,
    }
}

fn magnitude(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    unary(writer, call, build::fp_abs)
}

fn unary(writer: &mut Writer<'_, '_>, call: &Call, of: impl Fn(Term) -> Term) -> Option<Value> {
    let x = float(call, 0)?;
    writer.give(call, of(x), true)
}

/// A function whose result is rounded as the program says.
fn rounded(writer: &mut Writer<'_, '_>, call: &Call, of: impl Fn(Rounding, Term) -> Term) -> Option<Value> {
    let x = float(call, 0)?;
    let result = writer.rounded(|by| of(by, x));
    writer.give(call, result, true)
}

fn binary(writer: &mut Writer<'_, '_>, call: &Call, of: impl Fn(Term, Term) -> Term) -> Option<Value> {
    let (x, y) = (float(call, 0)?, float(call, 1)?);
    if x.sort() == y.sort() { writer.give(call, of(x, y), true) } else { None }
}

/// The root of a negative number is an error of the domain.
fn square_root(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let x = float(call, 0)?;
    let outside = build::and([build::fp_is_negative(x), build::not(build::fp_is_zero(x)), is_number(x)]);
    writer.set_errno_if(outside, EDOM);
    rounded(writer, call, build::fp_sqrt)
}

/// A remainder: by zero or of infinity it is an error of the domain.
fn division(writer: &mut Writer<'_, '_>, call: &Call, of: impl Fn(Term, Term) -> Term) -> Option<Value> {
    let (x, y) = (float(call, 0)?, float(call, 1)?);
    let outside = build::or([build::fp_is_infinite(x), build::fp_is_zero(y)]);
    writer.set_errno_if(build::and([outside, is_number(x), is_number(y)]), EDOM);
    binary(writer, call, of)
}

fn is_number(x: Term) -> Term {
    build::not(build::fp_is_nan(x))
}

fn question(writer: &mut Writer<'_, '_>, call: &Call, of: impl Fn(Term) -> Term) -> Option<Value> {
    let x = float(call, 0)?;
    writer.give(call, of(x), false)
}

/// `y` where it is to be taken or `x` is no number, else `x`.
fn choose(x: Term, y: Term, takes_second: Term) -> Term {
    build::ite(build::or([takes_second, build::fp_is_nan(x)]), y, x)
}

fn positive_difference(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (x, y) = (float(call, 0)?, float(call, 1)?);
    if x.sort() != y.sort() {
        return None;
    }
    let difference = writer.rounded(|by| build::fp_sub(by, x, y));
    let SortKind::Float(format) = x.sort().kind() else { return None };
    let zero = build::fp(*format, 0);
    let finite = [x, y].map(|x| build::not(build::fp_is_infinite(x)));
    let positive = build::not(build::fp_le(x, y));
    let overflow = build::and([positive, build::fp_is_infinite(difference), build::and(finite)]);
    writer.set_errno_if(overflow, ERANGE);
    writer.give(call, build::ite(build::fp_le(x, y), zero, difference), true)
}

/// The remainder that has the sign of `x`. The sum below is exact, because the result is a float.
fn modulo(x: Term, y: Term) -> Term {
    let (a, b) = (build::fp_abs(x), build::fp_abs(y));
    let nearest = build::fp_rem(a, b);
    let magnitude =
        build::ite(build::fp_is_negative(nearest), build::fp_add(Rounding::NearestEven, nearest, b), nearest);
    build::ite(build::fp_is_negative(x), build::fp_neg(magnitude), magnitude)
}

fn fma(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (x, y, z) = (float(call, 0)?, float(call, 1)?, float(call, 2)?);
    if x.sort() != y.sort() || y.sort() != z.sort() {
        return None;
    }
    let result = writer.rounded(|by| build::fp_fma(by, x, y, z));
    writer.give(call, result, true)
}

fn copysign(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (x, y) = (float(call, 0)?, float(call, 1)?);
    if x.sort() != y.sort() {
        return None;
    }
    writer.not_a_nan(y);
    let magnitude = build::fp_abs(x);
    writer.give(call, build::ite(build::fp_is_negative(y), build::fp_neg(magnitude), magnitude), true)
}

/// To an integer, in a direction or as the program says.
fn to_integer(writer: &mut Writer<'_, '_>, call: &Call, rounding: Option<Rounding>) -> Option<Value> {
    let x = float(call, 0)?;
    let (SortKind::Float(format), Some(Scalar::Int { width, signed })) =
        (x.sort().kind(), writer.types.scalar(call.ty))
    else {
        return None;
    };
    let rounded = writer.rounded(|by| build::fp_round_to_integral(rounding.unwrap_or(by), x));
    Some(Value::Scalar(float_to_int(rounded, *format, width, signed)))
}

fn sign_of_infinity(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let x = float(call, 0)?;
    let sign = build::ite(build::fp_is_negative(x), build::bv_signed(32, -1), build::bv(32, 1));
    writer.give(call, build::ite(build::fp_is_infinite(x), sign, build::bv(32, 0)), true)
}

fn signbit(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let x = float(call, 0)?;
    writer.not_a_nan(x);
    writer.give(call, build::fp_is_negative(x), false)
}

/// The numbers that glibc gives to the classes.
fn classify(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let x = float(call, 0)?;
    let classes = [
        (build::fp_is_nan(x), 0),
        (build::fp_is_infinite(x), 1),
        (build::fp_is_zero(x), 2),
        (build::fp_is_subnormal(x), 3),
    ];
    let normal = build::bv(32, 4);
    let class =
        classes.into_iter().rev().fold(normal, |other, (is, class)| build::ite(is, build::bv(32, class), other));
    writer.give(call, class, true)
}
