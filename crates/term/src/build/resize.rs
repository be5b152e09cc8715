//! Taking bit-vectors apart and putting them together; conversion to and from integers.

use super::bv::{constant, width};
use super::*;

/// The high part above the low part.
pub fn concat(high: Term, low: Term) -> Term {
    let Some(_level) = level() else { return Term::new(Op::Concat, &[high, low]) };
    if let (Op::Concat, [a, b]) = (high.op(), high.args()) {
        return concat(*a, concat(*b, low));
    }
    if let Some(joined) = joined(high, low) {
        return joined;
    }
    if let (Op::Concat, [a, b]) = (low.op(), low.args())
        && let Some(joined) = joined(high, *a)
    {
        return concat(joined, *b);
    }
    if constant(high) == Some(0) {
        return zero_extend(width(high) + width(low), low);
    }
    Term::new(Op::Concat, &[high, low])
}

/// Two neighbouring parts as one, if that is simpler.
fn joined(high: Term, low: Term) -> Option<Term> {
    match (high.op(), high.args(), low.op(), low.args()) {
        (Op::Const(_), _, Op::Const(_), _) => fold_binary(&Op::Concat, high, low),
        (Op::Extract { high: top, low: middle }, [x], Op::Extract { high: below, low: bottom }, [y])
            if x == y && *middle == below + 1 =>
        {
            Some(extract(*top, *bottom, *x))
        }
        _ => None,
    }
}

/// Bits `high` down to `low`, both included.
pub fn extract(high: u32, low: u32, a: Term) -> Term {
    let Some(_level) = level() else { return Term::new(Op::Extract { high, low }, &[a]) };
    let w = width(a);
    assert!(low <= high && high < w, "extract {high} {low} of {}", a.sort());
    if low == 0 && high == w - 1 {
        return a;
    }
    let op = Op::Extract { high, low };
    match (a.op(), a.args()) {
        (Op::Extract { low: inner, .. }, [x]) => extract(high + inner, low + inner, *x),
        (Op::Concat, [x, y]) => {
            let middle = width(*y);
            if high < middle {
                extract(high, low, *y)
            } else if low >= middle {
                extract(high - middle, low - middle, *x)
            } else {
                concat(extract(high - middle, 0, *x), extract(middle - 1, low, *y))
            }
        }
        (Op::ZeroExtend(_) | Op::SignExtend(_), [x]) if high < width(*x) => extract(high, low, *x),
        (Op::ZeroExtend(_), [x]) if low >= width(*x) => bv(high - low + 1, 0),
        (Op::ZeroExtend(_), [x]) => zero_extend(high - low + 1, extract(width(*x) - 1, low, *x)),
        (Op::SignExtend(_), [x]) => {
            let top = width(*x) - 1;
            sign_extend(high - low + 1, extract(top, low.min(top), *x))
        }
        (Op::BvAnd | Op::BvOr | Op::BvXor, [x, k]) if k.value().is_some() => {
            make(a.op(), &[extract(high, low, *x), extract(high, low, *k)])
        }
        // Low bits depend on low bits only.
        (Op::BvAdd | Op::BvSub | Op::BvMul, [x, y]) if low == 0 && narrows(high, *x) && narrows(high, *y) => {
            make(a.op(), &[extract(high, 0, *x), extract(high, 0, *y)])
        }
        _ => unary(op, a),
    }
}

/// Whether taking the bits from `high` down to 0 makes the term simpler.
fn narrows(high: u32, t: Term) -> bool {
    match (t.op(), t.args()) {
        (Op::ZeroExtend(_) | Op::SignExtend(_), [x]) => high < width(*x),
        (Op::Const(_), _) => true,
        _ => false,
    }
}

/// Zeros put above, up to the total width `to`.
pub fn zero_extend(to: u32, a: Term) -> Term {
    let Some(_level) = level() else { return Term::new(Op::ZeroExtend(to), &[a]) };
    assert!(width(a) <= to && to <= crate::MAX_WIDTH, "zero_extend {to} of {}", a.sort());
    match (a.op(), a.args()) {
        _ if to == width(a) => a,
        (Op::ZeroExtend(_), [x]) => zero_extend(to, *x),
        _ => unary(Op::ZeroExtend(to), a),
    }
}

/// Copies of the sign bit put above, up to the total width `to`.
pub fn sign_extend(to: u32, a: Term) -> Term {
    let Some(_level) = level() else { return Term::new(Op::SignExtend(to), &[a]) };
    assert!(width(a) <= to && to <= crate::MAX_WIDTH, "sign_extend {to} of {}", a.sort());
    match (a.op(), a.args()) {
        _ if to == width(a) => a,
        (Op::SignExtend(_), [x]) => sign_extend(to, *x),
        (Op::ZeroExtend(inner), [x]) if width(*x) < *inner => zero_extend(to, *x),
        _ => unary(Op::SignExtend(to), a),
    }
}

/// The integer that a bit-vector stands for.
pub fn bv_to_int(signed: bool, a: Term) -> Term {
    let Some(_level) = level() else { return Term::new(Op::BvToInt { signed }, &[a]) };
    match (a.op(), a.args()) {
        (Op::ZeroExtend(to), [x]) if !signed || width(*x) < *to => bv_to_int(false, *x),
        (Op::SignExtend(_), [x]) if signed => bv_to_int(true, *x),
        _ => unary(Op::BvToInt { signed }, a),
    }
}

/// The integer modulo two to the width.
pub fn int_to_bv(to: u32, a: Term) -> Term {
    let Some(_level) = level() else { return Term::new(Op::IntToBv(to), &[a]) };
    match (a.op(), a.args()) {
        (Op::BvToInt { .. }, [x]) if to <= width(*x) => extract(to - 1, 0, *x),
        (Op::BvToInt { signed: false }, [x]) => zero_extend(to, *x),
        (Op::BvToInt { signed: true }, [x]) => sign_extend(to, *x),
        _ => unary(Op::IntToBv(to), a),
    }
}
