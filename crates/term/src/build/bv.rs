//! Arithmetic, logic and shifts on bit-vectors.

use super::*;
use crate::bits;

/// The bit-vector of a width with the low bits of `bits`.
pub fn bv(width: u32, bits: u128) -> Term {
    Term::constant(Value::bv(width, bits))
}

/// The bit-vector of a width that stands for `n` in two's complement, modulo two to the width.
pub fn bv_signed(width: u32, n: i128) -> Term {
    bv(width, n as u128)
}

pub(super) fn width(t: Term) -> u32 {
    t.sort().bv_width().unwrap_or_else(|| panic!("{} is no bit-vector sort", t.sort()))
}

pub(super) fn constant(t: Term) -> Option<u128> {
    t.as_bv().map(|bv| bv.unsigned())
}

fn constant_sum(t: Term) -> Option<(Term, Term)> {
    match (t.op(), t.args()) {
        (Op::BvAdd, [x, k]) if k.value().is_some() => Some((*x, *k)),
        _ => None,
    }
}

pub fn bv_add(a: Term, b: Term) -> Term {
    let Some(_level) = level() else { return Term::new(Op::BvAdd, &[a, b]) };
    let (a, b) = ordered(a, b);
    if let Some(folded) = fold_pair(&Op::BvAdd, a, b) {
        return folded;
    }
    if constant(b) == Some(0) {
        return a;
    }
    match (constant_sum(a), constant_sum(b)) {
        (Some((x, k)), _) if b.value().is_some() => return bv_add(x, bv_add(k, b)),
        (Some((x, j)), Some((y, k))) => return bv_add(bv_add(x, y), bv_add(j, k)),
        (Some((x, k)), None) => return bv_add(bv_add(x, b), k),
        (None, Some((y, k))) => return bv_add(bv_add(a, y), k),
        (None, None) => {}
    }
    match (a.op(), a.args(), b.op(), b.args()) {
        (Op::BvSub, [x, y], _, _) if *y == b => *x,
        (_, _, Op::BvSub, [x, y]) if *y == a => *x,
        (Op::BvSub, [k, x], _, _) if k.value().is_some() => bv_sub(bv_add(*k, b), *x),
        (_, _, Op::BvSub, [k, y]) if k.value().is_some() => bv_add(bv_sub(a, *y), *k),
        (_, _, Op::BvNeg, [y]) => bv_sub(a, *y),
        (Op::BvNeg, [x], _, _) if b.value().is_none() => bv_sub(b, *x),
        (Op::BvNot, [x], _, _) if constant(b) == Some(1) => bv_neg(*x),
        _ => Term::new(Op::BvAdd, &[a, b]),
    }
}

pub fn bv_sub(a: Term, b: Term) -> Term {
    let Some(_level) = level() else { return Term::new(Op::BvSub, &[a, b]) };
    if let Some(folded) = fold_pair(&Op::BvSub, a, b) {
        return folded;
    }
    if a == b {
        return bv(width(a), 0);
    }
    if b.value().is_some() {
        return bv_add(a, bv_neg(b));
    }
    if constant(a) == Some(0) {
        return bv_neg(b);
    }
    match (constant_sum(a), constant_sum(b)) {
        (Some((x, j)), Some((y, k))) => return bv_add(bv_sub(x, y), bv_sub(j, k)),
        (Some((x, k)), None) => return bv_add(bv_sub(x, b), k),
        (None, Some((y, k))) if a.value().is_some() => return bv_sub(bv_sub(a, k), y),
        (None, Some((y, k))) => return bv_add(bv_sub(a, y), bv_neg(k)),
        (None, None) => {}
    }
    match (a.op(), a.args(), b.op(), b.args()) {
        (Op::BvAdd, [x, y], _, _) if *x == b => *y,
        (Op::BvAdd, [x, y], _, _) if *y == b => *x,
        (_, _, Op::BvAdd, [x, y]) if *x == a => bv_neg(*y),
        (_, _, Op::BvAdd, [x, y]) if *y == a => bv_neg(*x),
        (_, _, Op::BvNeg, [y]) => bv_add(a, *y),
        _ => Term::new(Op::BvSub, &[a, b]),
    }
}

pub fn bv_neg(a: Term) -> Term {
    let Some(_level) = level() else { return Term::new(Op::BvNeg, &[a]) };
    if let Some(folded) = fold_unary(&Op::BvNeg, a) {
        return folded;
    }
    match (a.op(), a.args()) {
        (Op::BvNeg, [x]) => *x,
        (Op::BvSub, [x, y]) => bv_sub(*y, *x),
        (Op::BvAdd, [x, k]) if k.value().is_some() => bv_sub(bv_neg(*k), *x),
        (Op::BvMul, [x, k]) if k.value().is_some() => bv_mul(*x, bv_neg(*k)),
        _ => Term::new(Op::BvNeg, &[a]),
    }
}

pub fn bv_mul(a: Term, b: Term) -> Term {
    let Some(_level) = level() else { return Term::new(Op::BvMul, &[a, b]) };
    let (a, b) = ordered(a, b);
    if let Some(folded) = fold_pair(&Op::BvMul, a, b) {
        return folded;
    }
    match constant(b) {
        Some(0) => return b,
        Some(1) => return a,
        Some(k) if k == bits::mask(width(b)) => return bv_neg(a),
        _ => {}
    }
    match (a.op(), a.args()) {
        (Op::BvMul, [x, k]) if k.value().is_some() && b.value().is_some() => bv_mul(*x, bv_mul(*k, b)),
        (Op::BvNeg, [x]) if b.value().is_some() => bv_mul(*x, bv_neg(b)),
        _ => Term::new(Op::BvMul, &[a, b]),
    }
}

pub fn bv_udiv(a: Term, b: Term) -> Term {
    if let Some(folded) = fold_pair(&Op::BvUdiv, a, b) {
        return folded;
    }
    match constant(b) {
        Some(1) => a,
        Some(k) if k.is_power_of_two() => bv_lshr(a, bv(width(a), u128::from(k.trailing_zeros()))),
        _ => Term::new(Op::BvUdiv, &[a, b]),
    }
}

pub fn bv_sdiv(a: Term, b: Term) -> Term {
    if let Some(folded) = fold_pair(&Op::BvSdiv, a, b) {
        return folded;
    }
    // At width 1 the constant 1 is -1; both give the negation, which is the identity there.
    match constant(b) {
        Some(k) if k == bits::mask(width(b)) => bv_neg(a),
        Some(1) => a,
        _ => Term::new(Op::BvSdiv, &[a, b]),
    }
}

pub fn bv_urem(a: Term, b: Term) -> Term {
    if let Some(folded) = fold_pair(&Op::BvUrem, a, b) {
        return folded;
    }
    match constant(b) {
        Some(0) => a,
        Some(k) if k.is_power_of_two() => bv_and(a, bv(width(a), k - 1)),
        _ => Term::new(Op::BvUrem, &[a, b]),
    }
}

/// The sign follows the dividend, as in C.
pub fn bv_srem(a: Term, b: Term) -> Term {
    if let Some(folded) = fold_pair(&Op::BvSrem, a, b) {
        return folded;
    }
    match constant(b) {
        Some(0) => a,
        Some(k) if k == 1 || k == bits::mask(width(b)) => bv(width(a), 0),
        _ => Term::new(Op::BvSrem, &[a, b]),
    }
}

/// Whether one term is the complement of the other.
fn complementary(a: Term, b: Term) -> bool {
    let is_not = |a: Term, b: Term| *a.op() == Op::BvNot && a.args()[0] == b;
    is_not(a, b) || is_not(b, a)
}

/// `(x op k1) op k2` as `x op (k1 op k2)`, for an associative operator and a constant `b`.
fn reassociated(op: &Op, a: Term, b: Term, build: fn(Term, Term) -> Term) -> Option<Term> {
    match a.args() {
        [x, k] if a.op() == op && k.value().is_some() && b.value().is_some() => Some(build(*x, build(*k, b))),
        _ => None,
    }
}

pub fn bv_and(a: Term, b: Term) -> Term {
    let Some(_level) = level() else { return Term::new(Op::BvAnd, &[a, b]) };
    let (a, b) = ordered(a, b);
    if let Some(done) = fold_pair(&Op::BvAnd, a, b).or_else(|| reassociated(&Op::BvAnd, a, b, bv_and)) {
        return done;
    }
    match constant(b) {
        Some(0) => return b,
        Some(k) if k == bits::mask(width(b)) => return a,
        _ => {}
    }
    if a == b {
        a
    } else if complementary(a, b) {
        bv(width(a), 0)
    } else {
        Term::new(Op::BvAnd, &[a, b])
    }
}

pub fn bv_or(a: Term, b: Term) -> Term {
    let Some(_level) = level() else { return Term::new(Op::BvOr, &[a, b]) };
    let (a, b) = ordered(a, b);
    if let Some(done) = fold_pair(&Op::BvOr, a, b).or_else(|| reassociated(&Op::BvOr, a, b, bv_or)) {
        return done;
    }
    match constant(b) {
        Some(0) => return a,
        Some(k) if k == bits::mask(width(b)) => return b,
        _ => {}
    }
    if a == b {
        a
    } else if complementary(a, b) {
        bv(width(a), bits::mask(width(a)))
    } else {
        Term::new(Op::BvOr, &[a, b])
    }
}

pub fn bv_xor(a: Term, b: Term) -> Term {
    let Some(_level) = level() else { return Term::new(Op::BvXor, &[a, b]) };
    let (a, b) = ordered(a, b);
    if let Some(done) = fold_pair(&Op::BvXor, a, b).or_else(|| reassociated(&Op::BvXor, a, b, bv_xor)) {
        return done;
    }
    match (constant(b), a.op()) {
        (Some(0), _) => return a,
        (Some(k), _) if k == bits::mask(width(b)) => return bv_not(a),
        (Some(k), Op::BvNot) => return bv_xor(a.args()[0], bv(width(a), bits::not(width(a), k))),
        _ => {}
    }
    if a == b {
        bv(width(a), 0)
    } else if complementary(a, b) {
        bv(width(a), bits::mask(width(a)))
    } else {
        Term::new(Op::BvXor, &[a, b])
    }
}

pub fn bv_not(a: Term) -> Term {
    let Some(_level) = level() else { return Term::new(Op::BvNot, &[a]) };
    match (a.op(), a.args()) {
        (Op::BvNot, [x]) => *x,
        (Op::BvXor, [x, k]) if k.value().is_some() => bv_xor(*x, bv_not(*k)),
        _ => unary(Op::BvNot, a),
    }
}

/// A shift by less than the width, unless the amount is no constant. `most` is the greatest amount that matters.
fn shift(op: Op, build: fn(Term, Term) -> Term, a: Term, b: Term, most: u32) -> Term {
    let Some(_level) = level() else { return Term::new(op, &[a, b]) };
    if let Some(folded) = fold_pair(&op, a, b) {
        return folded;
    }
    match (constant(b), a.args()) {
        (Some(0), _) => a,
        _ if constant(a) == Some(0) => a,
        (Some(k), [x, inner]) if *a.op() == op && inner.value().is_some() => {
            let total = constant(*inner).unwrap_or_default().saturating_add(k).min(u128::from(most));
            build(*x, bv(width(a), total))
        }
        _ => Term::new(op, &[a, b]),
    }
}

pub fn bv_shl(a: Term, b: Term) -> Term {
    let w = width(a);
    match constant(b) {
        Some(k) if k >= u128::from(w) => bv(w, 0),
        _ => shift(Op::BvShl, bv_shl, a, b, w),
    }
}

pub fn bv_lshr(a: Term, b: Term) -> Term {
    let w = width(a);
    match constant(b) {
        Some(k) if k >= u128::from(w) => bv(w, 0),
        _ => shift(Op::BvLshr, bv_lshr, a, b, w),
    }
}

pub fn bv_ashr(a: Term, b: Term) -> Term {
    let w = width(a);
    match constant(b) {
        Some(k) if k >= u128::from(w) => bv_ashr(a, bv(w, u128::from(w - 1))),
        _ => shift(Op::BvAshr, bv_ashr, a, b, w - 1),
    }
}
