//! Integers and reals.

use super::*;
use dashu::integer::IBig;
use dashu::rational::RBig;

/// An integer.
pub fn int(n: impl Into<IBig>) -> Term {
    Term::constant(Value::Int(n.into()))
}

/// A real number.
pub fn real(n: impl Into<RBig>) -> Term {
    Term::constant(Value::Real(n.into()))
}

/// The sign and size of a constant, as far as the identities ask.
#[derive(PartialEq)]
enum Small {
    Zero,
    One,
    MinusOne,
}

fn small(t: Term) -> Option<Small> {
    match t.value()? {
        Value::Int(n) if *n == IBig::ZERO => Some(Small::Zero),
        Value::Int(n) if *n == IBig::ONE => Some(Small::One),
        Value::Int(n) if *n == IBig::NEG_ONE => Some(Small::MinusOne),
        Value::Real(n) if *n == RBig::ZERO => Some(Small::Zero),
        Value::Real(n) if *n == RBig::ONE => Some(Small::One),
        Value::Real(n) if *n == RBig::NEG_ONE => Some(Small::MinusOne),
        _ => None,
    }
}

fn zero_of(t: Term) -> Term {
    if t.sort() == Sort::int() { int(0) } else { real(0) }
}

/// The summand that is a constant, if the term is such a sum.
fn constant_sum(t: Term) -> Option<(Term, Term)> {
    match (t.op(), t.args()) {
        (Op::Add, [x, k]) if k.value().is_some() => Some((*x, *k)),
        _ => None,
    }
}

pub fn add(a: Term, b: Term) -> Term {
    let Some(_level) = level() else { return Term::new(Op::Add, &[a, b]) };
    let (a, b) = ordered(a, b);
    if let Some(folded) = fold_pair(&Op::Add, a, b) {
        return folded;
    }
    if small(b) == Some(Small::Zero) {
        return a;
    }
    match (constant_sum(a), constant_sum(b)) {
        (Some((x, k)), _) if b.value().is_some() => return add(x, add(k, b)),
        (Some((x, j)), Some((y, k))) => return add(add(x, y), add(j, k)),
        (Some((x, k)), None) => return add(add(x, b), k),
        (None, Some((y, k))) => return add(add(a, y), k),
        (None, None) => {}
    }
    match (a.op(), a.args(), b.op(), b.args()) {
        (Op::Sub, [x, y], _, _) if *y == b => *x,
        (_, _, Op::Sub, [x, y]) if *y == a => *x,
        (Op::Sub, [k, x], _, _) if k.value().is_some() => sub(add(*k, b), *x),
        (_, _, Op::Sub, [k, y]) if k.value().is_some() => add(sub(a, *y), *k),
        (_, _, Op::Neg, [y]) => sub(a, *y),
        (Op::Neg, [x], _, _) if b.value().is_none() => sub(b, *x),
        _ => Term::new(Op::Add, &[a, b]),
    }
}

pub fn sub(a: Term, b: Term) -> Term {
    let Some(_level) = level() else { return Term::new(Op::Sub, &[a, b]) };
    if let Some(folded) = fold_pair(&Op::Sub, a, b) {
        return folded;
    }
    if a == b {
        return zero_of(a);
    }
    if b.value().is_some() {
        return add(a, neg(b));
    }
    if small(a) == Some(Small::Zero) {
        return neg(b);
    }
    match (constant_sum(a), constant_sum(b)) {
        (Some((x, j)), Some((y, k))) => return add(sub(x, y), sub(j, k)),
        (Some((x, k)), None) => return add(sub(x, b), k),
        (None, Some((y, k))) if a.value().is_some() => return sub(sub(a, k), y),
        (None, Some((y, k))) => return add(sub(a, y), neg(k)),
        (None, None) => {}
    }
    match (a.op(), a.args(), b.op(), b.args()) {
        (Op::Add, [x, y], _, _) if *x == b => *y,
        (Op::Add, [x, y], _, _) if *y == b => *x,
        (_, _, Op::Add, [x, y]) if *x == a => neg(*y),
        (_, _, Op::Add, [x, y]) if *y == a => neg(*x),
        (_, _, Op::Neg, [y]) => add(a, *y),
        _ => Term::new(Op::Sub, &[a, b]),
    }
}

pub fn neg(a: Term) -> Term {
    let Some(_level) = level() else { return Term::new(Op::Neg, &[a]) };
    if let Some(folded) = fold_unary(&Op::Neg, a) {
        return folded;
    }
    match (a.op(), a.args()) {
        (Op::Neg, [x]) => *x,
        (Op::Sub, [x, y]) => sub(*y, *x),
        (Op::Add, [x, k]) if k.value().is_some() => sub(neg(*k), *x),
        (Op::Mul, [x, k]) if k.value().is_some() => mul(*x, neg(*k)),
        _ => Term::new(Op::Neg, &[a]),
    }
}

pub fn mul(a: Term, b: Term) -> Term {
    let Some(_level) = level() else { return Term::new(Op::Mul, &[a, b]) };
    let (a, b) = ordered(a, b);
    if let Some(folded) = fold_pair(&Op::Mul, a, b) {
        return folded;
    }
    match small(b) {
        Some(Small::Zero) => return b,
        Some(Small::One) => return a,
        Some(Small::MinusOne) => return neg(a),
        None => {}
    }
    match (a.op(), a.args()) {
        (Op::Mul, [x, k]) if k.value().is_some() && b.value().is_some() => mul(*x, mul(*k, b)),
        (Op::Neg, [x]) if b.value().is_some() => mul(*x, neg(b)),
        _ => Term::new(Op::Mul, &[a, b]),
    }
}

/// Euclidean division; by zero it gives 0.
pub fn int_div(a: Term, b: Term) -> Term {
    if let Some(folded) = fold_pair(&Op::IntDiv, a, b) {
        return folded;
    }
    match small(b) {
        Some(Small::Zero) => b,
        Some(Small::One) => a,
        Some(Small::MinusOne) => neg(a),
        None => Term::new(Op::IntDiv, &[a, b]),
    }
}

/// The remainder of [`int_div`], never negative; modulo zero gives the dividend.
pub fn int_mod(a: Term, b: Term) -> Term {
    if let Some(folded) = fold_pair(&Op::IntMod, a, b) {
        return folded;
    }
    match small(b) {
        Some(Small::Zero) => a,
        Some(Small::One | Small::MinusOne) => int(0),
        // (x mod k) mod k is x mod k.
        None if *a.op() == Op::IntMod && a.args()[1] == b && b.value().is_some() => a,
        None => Term::new(Op::IntMod, &[a, b]),
    }
}

/// Division of reals; by zero it gives 0.
pub fn real_div(a: Term, b: Term) -> Term {
    if let Some(folded) = fold_pair(&Op::RealDiv, a, b) {
        return folded;
    }
    match b.value() {
        Some(Value::Real(k)) if *k == RBig::ZERO => b,
        Some(Value::Real(k)) => mul(a, real(RBig::ONE / k)),
        _ => Term::new(Op::RealDiv, &[a, b]),
    }
}

pub fn to_real(a: Term) -> Term {
    unary(Op::ToReal, a)
}

/// Floor.
pub fn to_int(a: Term) -> Term {
    match (a.op(), a.args()) {
        (Op::ToReal, [x]) => *x,
        _ => unary(Op::ToInt, a),
    }
}
