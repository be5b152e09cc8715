//! What each operator gives on values.

use crate::value::ArrayValue;
use crate::{Bv, FloatFormat, Op, Sort, SortKind, Value, bits, float};
use dashu::base::{BitTest, DivEuclid, RemEuclid};
use dashu::integer::IBig;
use dashu::rational::RBig;
use std::sync::Arc;

/// Numbers of more bits than this are given up: they come from products that would fill the memory.
const MAX_BITS: usize = 1 << 20;
/// The same for fractions, whose common divisors the library cannot find when they are larger.
const MAX_FRACTION_BITS: usize = 1 << 15;

/// The value of `op` applied to `args`, which fit it. `None` where values do not tell: variables, uninterpreted
/// functions, memory, binders, and numbers too large to hold.
pub fn apply(op: &Op, args: &[Value]) -> Option<Value> {
    use Op::*;
    match (op, args) {
        (Const(value), []) => Some(value.clone()),
        (Not, [Value::Bool(a)]) => Some(Value::Bool(!a)),
        (And, _) => args.iter().try_fold(true, |all, a| Some(a.as_bool()? && all)).map(Value::Bool),
        (Or, _) => args.iter().try_fold(false, |any, a| Some(a.as_bool()? || any)).map(Value::Bool),
        (Implies, [Value::Bool(a), Value::Bool(b)]) => Some(Value::Bool(!a || *b)),
        (Xor, [Value::Bool(a), Value::Bool(b)]) => Some(Value::Bool(a != b)),
        (Eq, [a, b]) => Some(Value::Bool(a == b)),
        (Ite, [Value::Bool(c), a, b]) => Some(if *c { a.clone() } else { b.clone() }),
        (ConstArray(sort), [element]) => match sort.kind() {
            SortKind::Array(index, _) => Some(Value::Array(Arc::new(ArrayValue::constant(*index, element.clone())))),
            _ => None,
        },
        (_, [Value::Int(a)]) => on_integer(op, a),
        (_, [Value::Int(a), Value::Int(b)]) => on_integers(op, a, b),
        (_, [Value::Real(a)]) => on_real(op, a),
        (_, [Value::Real(a), Value::Real(b)]) => on_reals(op, a, b),
        (Select, [Value::Array(array), index]) => Some(array.get(index).clone()),
        (Store, [Value::Array(array), index, element]) => {
            Some(Value::Array(Arc::new(array.with(index.clone(), element.clone()))))
        }
        (Pointer, [Value::Bv(object), Value::Bv(offset)]) => {
            Some(Value::Pointer { object: object.unsigned() as u32, offset: *offset })
        }
        (_, [Value::Float(format, a)]) => on_float(op, *format, *a),
        (_, [Value::Float(format, a), Value::Float(other, b)]) if format == other => on_floats(op, *format, *a, *b),
        (FpFma(by), [Value::Float(format, a), Value::Float(_, b), Value::Float(_, c)]) => {
            Some(Value::Float(*format, float::fma(*format, *by, *a, *b, *c)))
        }
        (_, [Value::Bv(a)]) => on_vector(op, *a),
        (_, [Value::Bv(a), Value::Bv(b)]) => on_vectors(op, *a, *b),
        (PointerObject, [Value::Pointer { object, .. }]) => Some(Value::bv(crate::OBJECT_WIDTH, u128::from(*object))),
        (PointerOffset, [Value::Pointer { offset, .. }]) => Some(Value::Bv(*offset)),
        (ObjectAt, [Value::Array(bases), Value::Array(sizes), Value::Bv(address)]) => {
            object_at(bases, sizes, address.unsigned())
        }
        _ => None,
    }
}

fn on_integer(op: &Op, a: &IBig) -> Option<Value> {
    Some(match op {
        Op::Neg => Value::Int(-a),
        Op::ToReal => Value::Real(RBig::from(a.clone())),
        Op::IntToBv(width) => Value::bv(*width, low_bits(a)),
        _ => return None,
    })
}

/// The low 128 bits in two's complement.
fn low_bits(a: &IBig) -> u128 {
    match i128::try_from(a) {
        Ok(small) => small as u128,
        Err(_) => {
            let modulus = IBig::ONE << 128;
            u128::try_from(a.rem_euclid(&modulus)).unwrap_or_default()
        }
    }
}

fn on_integers(op: &Op, a: &IBig, b: &IBig) -> Option<Value> {
    Some(match op {
        Op::Add => Value::Int(a + b),
        Op::Sub => Value::Int(a - b),
        Op::Mul => {
            (a.bit_len() + b.bit_len() <= MAX_BITS).then_some(())?;
            Value::Int(a * b)
        }
        Op::IntDiv => Value::Int(if *b == IBig::ZERO { IBig::ZERO } else { a.div_euclid(b) }),
        Op::IntMod => Value::Int(if *b == IBig::ZERO { a.clone() } else { a.rem_euclid(b).into() }),
        Op::Le => Value::Bool(a <= b),
        Op::Lt => Value::Bool(a < b),
        _ => return None,
    })
}

fn on_real(op: &Op, a: &RBig) -> Option<Value> {
    Some(match op {
        Op::Neg => Value::Real(-a),
        Op::ToInt => Value::Int(a.floor()),
        Op::RealToFp(format, rounding) => Value::Float(*format, float::from_real(*format, *rounding, a)),
        _ => return None,
    })
}

fn on_reals(op: &Op, a: &RBig, b: &RBig) -> Option<Value> {
    let size = |x: &RBig| x.numerator().bit_len() + x.denominator().bit_len();
    let small = size(a) + size(b) <= MAX_FRACTION_BITS;
    Some(match op {
        Op::Le => Value::Bool(a <= b),
        Op::Lt => Value::Bool(a < b),
        Op::Add if small => Value::Real(a + b),
        Op::Sub if small => Value::Real(a - b),
        Op::Mul if small => Value::Real(a * b),
        Op::RealDiv if small => Value::Real(if *b == RBig::ZERO { RBig::ZERO } else { a / b }),
        _ => return None,
    })
}

fn on_vector(op: &Op, a: Bv) -> Option<Value> {
    let (width, bits) = (a.width(), a.unsigned());
    Some(match op {
        Op::BvNeg => Value::bv(width, bits::neg(width, bits)),
        Op::BvNot => Value::bv(width, bits::not(width, bits)),
        Op::Extract { high, low } => Value::bv(high - low + 1, bits::extract(*high, *low, bits)),
        Op::ZeroExtend(to) => Value::bv(*to, bits),
        Op::SignExtend(to) => Value::bv(*to, bits::sign_extend(width, *to, bits)),
        Op::BvToInt { signed: false } => Value::Int(bits.into()),
        Op::BvToInt { signed: true } => Value::Int(a.signed().into()),
        Op::BvToFp { format, signed, rounding } => {
            Value::Float(*format, float::from_bv(*format, *rounding, width, *signed, bits))
        }
        Op::FpFromBits(format) if width == format.width() => Value::Float(*format, float::canonical(*format, bits)),
        _ => return None,
    })
}

fn on_vectors(op: &Op, a: Bv, b: Bv) -> Option<Value> {
    let (width, x, y) = (a.width(), a.unsigned(), b.unsigned());
    let operation = match op {
        Op::BvAdd => bits::add,
        Op::BvSub => bits::sub,
        Op::BvMul => bits::mul,
        Op::BvUdiv => bits::udiv,
        Op::BvSdiv => bits::sdiv,
        Op::BvUrem => bits::urem,
        Op::BvSrem => bits::srem,
        Op::BvAnd => |_, x, y| x & y,
        Op::BvOr => |_, x, y| x | y,
        Op::BvXor => |_, x, y| x ^ y,
        Op::BvShl => bits::shl,
        Op::BvLshr => bits::lshr,
        Op::BvAshr => bits::ashr,
        Op::BvUlt => return Some(Value::Bool(x < y)),
        Op::BvUle => return Some(Value::Bool(x <= y)),
        Op::BvSlt => return Some(Value::Bool(bits::slt(width, x, y))),
        Op::BvSle => return Some(Value::Bool(bits::sle(width, x, y))),
        Op::Concat => return Some(Value::bv(width + b.width(), bits::concat(b.width(), x, y))),
        _ => return None,
    };
    Some(Value::bv(width, operation(width, x, y)))
}

fn on_float(op: &Op, format: FloatFormat, a: u128) -> Option<Value> {
    Some(match op {
        Op::FpSqrt(by) => Value::Float(format, float::sqrt(format, *by, a)),
        Op::FpNeg => Value::Float(format, float::neg(format, a)),
        Op::FpAbs => Value::Float(format, float::abs(format, a)),
        Op::FpRoundToIntegral(rounding) => Value::Float(format, float::round_to_integral(format, *rounding, a)),
        Op::FpIsNan => Value::Bool(float::is_nan(format, a)),
        Op::FpIsInfinite => Value::Bool(float::is_infinite(format, a)),
        Op::FpIsZero => Value::Bool(float::is_zero(format, a)),
        Op::FpIsNormal => Value::Bool(float::is_normal(format, a)),
        Op::FpIsSubnormal => Value::Bool(float::is_subnormal(format, a)),
        Op::FpIsNegative => Value::Bool(float::is_negative(format, a)),
        Op::FpToFp(to, rounding) => Value::Float(*to, float::convert(format, *to, *rounding, a)),
        Op::FpToBv { width, signed, rounding } => {
            Value::bv(*width, float::to_bv(format, *rounding, *width, *signed, a))
        }
        Op::FpToBits => Value::bv(format.width(), a),
        Op::FpToReal => Value::Real(float::to_real(format, a)),
        _ => return None,
    })
}

fn on_floats(op: &Op, format: FloatFormat, a: u128, b: u128) -> Option<Value> {
    let bits = match op {
        Op::FpAdd(by) => float::add(format, *by, a, b),
        Op::FpSub(by) => float::sub(format, *by, a, b),
        Op::FpMul(by) => float::mul(format, *by, a, b),
        Op::FpDiv(by) => float::div(format, *by, a, b),
        Op::FpRem => float::rem(format, a, b),
        Op::FpEq => return Some(Value::Bool(float::eq(format, a, b))),
        Op::FpLt => return Some(Value::Bool(float::lt(format, a, b))),
        Op::FpLe => return Some(Value::Bool(float::le(format, a, b))),
        _ => return None,
    };
    Some(Value::Float(format, bits))
}

/// See [`Op::ObjectAt`]. `None` if objects without an entry have an address too.
fn object_at(bases: &ArrayValue, sizes: &ArrayValue, address: u128) -> Option<Value> {
    if bases.default.as_bv()?.unsigned() != 0 {
        return None;
    }
    let (mut inside, mut at_end) = (None, None);
    for (identity, base) in &bases.entries {
        let (base, size) = (base.as_bv()?.unsigned(), sizes.get(identity).as_bv()?.unsigned());
        if identity.as_bv()?.unsigned() == 0 || base == 0 || address < base {
            continue;
        }
        if address - base < size || address == base {
            inside = Some(identity.clone());
        } else if address - base == size {
            at_end = Some(identity.clone());
        }
    }
    Some(inside.or(at_end).unwrap_or_else(|| Value::zero(Sort::object()).expect("bit-vectors have a zero")))
}
