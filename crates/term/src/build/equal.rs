//! Equality.

use super::*;
use crate::bits;
use dashu::integer::IBig;
use dashu::rational::RBig;

/// How many nested `ite`s with a constant branch an equality with a constant moves into.
const ITE_DEPTH: u32 = 4;

pub fn eq(a: Term, b: Term) -> Term {
    assert!(a.sort() == b.sort(), "equality of {} and {}", a.sort(), b.sort());
    equal(a, b, ITE_DEPTH)
}

fn equal(a: Term, b: Term, depth: u32) -> Term {
    let Some(_level) = level() else { return Term::new(Op::Eq, &[a, b]) };
    if a == b {
        return truth();
    }
    let (a, b) = ordered(a, b);
    if surely_differ(a, b) {
        return falsehood();
    }
    let rewritten = if a.sort().is_bool() {
        equal_bool(a, b)
    } else if let Some(value) = b.value() {
        equal_constant(a, b, value, depth)
    } else {
        equal_terms(a, b)
    };
    rewritten.unwrap_or_else(|| Term::new(Op::Eq, &[a, b]))
}

/// Whether two terms of one sort have different values in every model, as far as their outermost operators tell.
pub(super) fn surely_differ(a: Term, b: Term) -> bool {
    if a == b {
        return false;
    }
    match (a.value(), b.value()) {
        (Some(x), Some(y)) => return x != y,
        // An element outside the inner sort's range is seen in `equal_constant`.
        (Some(_), None) | (None, Some(_)) => return false,
        (None, None) => {}
    }
    // Sums that differ in their constant only.
    let (x, offset_x) = constant_summand(a);
    let (y, offset_y) = constant_summand(b);
    x == y && offset_x != offset_y
}

/// `x + k` as x and k. Anything else is itself and no constant, and so is a sum with zero that nobody has simplified.
fn constant_summand(t: Term) -> (Term, Option<&'static Value>) {
    match (t.op(), t.args()) {
        (Op::BvAdd | Op::Add, [x, k]) if k.value().is_some() => {
            (*x, k.value().filter(|value| Value::zero(t.sort()).as_ref() != Some(*value)))
        }
        _ => (t, None),
    }
}

fn equal_bool(a: Term, b: Term) -> Option<Term> {
    let strip = |t: Term| if *t.op() == Op::Not { (t.args()[0], true) } else { (t, false) };
    if let Some(value) = b.as_bool() {
        return Some(if value { a } else { not(a) });
    }
    let ((x, p), (y, q)) = (strip(a), strip(b));
    if !p && !q {
        return None;
    }
    let same = eq(x, y);
    Some(if p == q { same } else { not(same) })
}

/// `a = k` for a constant `k` of a sort other than Bool.
fn equal_constant(a: Term, k: Term, value: &'static Value, depth: u32) -> Option<Term> {
    match (a.op(), a.args(), value) {
        (Op::Ite, [c, x, y], _) if depth > 0 => {
            let constant = |t: Term| t.value().map(|v| v == value);
            Some(match (constant(*x), constant(*y)) {
                (Some(p), Some(q)) => ite(*c, bool(p), bool(q)),
                (Some(true), None) => or([*c, equal(*y, k, depth - 1)]),
                (Some(false), None) => and([not(*c), equal(*y, k, depth - 1)]),
                (None, Some(true)) => or([not(*c), equal(*x, k, depth - 1)]),
                (None, Some(false)) => and([*c, equal(*x, k, depth - 1)]),
                (None, None) => return None,
            })
        }
        (Op::Pointer, [object, offset], Value::Pointer { object: o, offset: f }) => {
            Some(and([eq(*object, bv(crate::OBJECT_WIDTH, u128::from(*o))), eq(*offset, bv(f.width(), f.unsigned()))]))
        }
        (_, _, Value::Bv(constant)) => equal_vector(a, constant.width(), constant.unsigned()),
        (_, _, Value::Int(constant)) => equal_integer(a, constant),
        (_, _, Value::Real(constant)) => equal_real(a, constant),
        _ => None,
    }
}

/// `a = k` where `a` is an operator that can be inverted.
fn equal_vector(a: Term, width: u32, k: u128) -> Option<Term> {
    let constant_argument = |i: usize| a.args()[i].as_bv().map(|c| c.unsigned());
    Some(match (a.op(), a.args()) {
        (Op::BvAdd, [x, _]) => eq(*x, bv(width, bits::sub(width, k, constant_argument(1)?))),
        (Op::BvSub, [x, y]) if k == 0 => eq(*x, *y),
        (Op::BvSub, [_, y]) => eq(*y, bv(width, bits::sub(width, constant_argument(0)?, k))),
        (Op::BvXor, [x, y]) if k == 0 => eq(*x, *y),
        (Op::BvXor, [x, _]) => eq(*x, bv(width, k ^ constant_argument(1)?)),
        (Op::BvNot, [x]) => eq(*x, bv(width, bits::not(width, k))),
        (Op::BvNeg, [x]) => eq(*x, bv(width, bits::neg(width, k))),
        (Op::ZeroExtend(_), [x]) => {
            let inner = x.sort().bv_width()?;
            if k <= bits::mask(inner) { eq(*x, bv(inner, k)) } else { falsehood() }
        }
        (Op::SignExtend(_), [x]) => {
            let inner = x.sort().bv_width()?;
            let low = bits::truncate(inner, k);
            if bits::sign_extend(inner, width, low) == k { eq(*x, bv(inner, low)) } else { falsehood() }
        }
        (Op::Concat, [high, low]) => {
            let low_width = low.sort().bv_width()?;
            and([eq(*low, bv(low_width, k)), eq(*high, bv(width - low_width, k >> low_width))])
        }
        // A mask that k does not lie in.
        (Op::BvAnd, _) if k & !constant_argument(1)? != 0 => falsehood(),
        (Op::BvOr, _) if constant_argument(1)? & !k != 0 => falsehood(),
        _ => return None,
    })
}

fn equal_integer(a: Term, k: &IBig) -> Option<Term> {
    Some(match (a.op(), a.args()) {
        (Op::Add, [x, c]) => match c.value()? {
            Value::Int(c) => eq(*x, int(k - c)),
            _ => return None,
        },
        (Op::Sub, [x, y]) if *k == IBig::ZERO => eq(*x, *y),
        (Op::Neg, [x]) => eq(*x, int(-k)),
        (Op::BvToInt { signed }, [x]) => {
            let width = x.sort().bv_width()?;
            let inverse = low_bits_of(width, *signed, k);
            inverse.map_or_else(falsehood, |bits| eq(*x, bv(width, bits)))
        }
        _ => return None,
    })
}

/// The bit-vector that stands for `k`, if there is one of that width.
pub(crate) fn low_bits_of(width: u32, signed: bool, k: &IBig) -> Option<u128> {
    if signed {
        let k = i128::try_from(k).ok()?;
        let low = bits::truncate(width, k as u128);
        (bits::signed(width, low) == k).then_some(low)
    } else {
        let k = u128::try_from(k).ok()?;
        (k <= bits::mask(width)).then_some(k)
    }
}

fn equal_real(a: Term, k: &RBig) -> Option<Term> {
    Some(match (a.op(), a.args()) {
        (Op::Add, [x, c]) => match c.value()? {
            Value::Real(c) => eq(*x, real(k - c)),
            _ => return None,
        },
        (Op::Sub, [x, y]) if *k == RBig::ZERO => eq(*x, *y),
        (Op::Neg, [x]) => eq(*x, real(-k)),
        (Op::ToReal, [x]) if k.is_int() => eq(*x, int(k.numerator().clone())),
        (Op::ToReal, _) => falsehood(),
        _ => return None,
    })
}

/// Equality of two terms that are no constants and no Booleans.
fn equal_terms(a: Term, b: Term) -> Option<Term> {
    Some(match (a.op(), a.args(), b.op(), b.args()) {
        (Op::Pointer, [o, f], Op::Pointer, [p, g]) => and([eq(*o, *p), eq(*f, *g)]),
        (Op::Ite, [c, x, y], _, _) if *x == b || *y == b => equal_branch(*c, *x, *y, b),
        (_, _, Op::Ite, [c, x, y]) if *x == a || *y == a => equal_branch(*c, *x, *y, a),
        (Op::BvAdd, [x, y], Op::BvAdd, [z, w]) | (Op::Add, [x, y], Op::Add, [z, w]) if y == w => eq(*x, *z),
        (Op::ZeroExtend(_), [x], Op::ZeroExtend(_), [y])
        | (Op::SignExtend(_), [x], Op::SignExtend(_), [y])
        | (Op::BvToInt { signed: true }, [x], Op::BvToInt { signed: true }, [y])
        | (Op::BvToInt { signed: false }, [x], Op::BvToInt { signed: false }, [y])
            if x.sort() == y.sort() =>
        {
            eq(*x, *y)
        }
        (Op::ToReal, [x], Op::ToReal, [y])
        | (Op::BvNot, [x], Op::BvNot, [y])
        | (Op::BvNeg, [x], Op::BvNeg, [y])
        | (Op::Neg, [x], Op::Neg, [y])
        | (Op::FpNeg, [x], Op::FpNeg, [y]) => eq(*x, *y),
        _ => return None,
    })
}

/// `ite(c, x, y) = t` where t is one of the branches.
fn equal_branch(c: Term, x: Term, y: Term, t: Term) -> Term {
    if x == t { or([c, eq(y, t)]) } else { or([not(c), eq(x, t)]) }
}
