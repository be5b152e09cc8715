//! Order comparisons of numbers and of bit-vectors.

use super::bv::{constant, width};
use super::*;
use crate::bits;

pub fn le(a: Term, b: Term) -> Term {
    compare_numbers(Op::Le, a, b)
}

pub fn lt(a: Term, b: Term) -> Term {
    compare_numbers(Op::Lt, a, b)
}

pub fn ge(a: Term, b: Term) -> Term {
    le(b, a)
}

pub fn gt(a: Term, b: Term) -> Term {
    lt(b, a)
}

fn compare_numbers(op: Op, a: Term, b: Term) -> Term {
    let Some(_level) = level() else { return Term::new(op, &[a, b]) };
    if let Some(folded) = fold_pair(&op, a, b) {
        return folded;
    }
    if a == b {
        return bool(op == Op::Le);
    }
    let again = |a, b| compare_numbers(op.clone(), a, b);
    match (a.op(), a.args(), b.op(), b.args()) {
        (Op::Add, [x, j], Op::Add, [y, k]) if j == k => again(*x, *y),
        (Op::Add, [x, k], Op::Const(_), _) if k.value().is_some() => again(*x, sub(b, *k)),
        (Op::Const(_), _, Op::Add, [y, k]) if k.value().is_some() => again(sub(a, *k), *y),
        // Adding a constant to one side only shifts by it.
        (Op::Add, [x, k], _, _) if *x == b && k.value().is_some() => again(*k, sub(*k, *k)),
        (_, _, Op::Add, [y, k]) if *y == a && k.value().is_some() => again(sub(*k, *k), *k),
        (Op::ToReal, [x], Op::ToReal, [y]) => again(*x, *y),
        (Op::Neg, [x], Op::Neg, [y]) => again(*y, *x),
        (Op::Neg, [x], Op::Const(_), _) => again(neg(b), *x),
        (Op::Const(_), _, Op::Neg, [y]) => again(*y, neg(a)),
        _ => Term::new(op, &[a, b]),
    }
}

pub fn bv_ult(a: Term, b: Term) -> Term {
    compare_vectors(Comparison { signed: false, strict: true }, a, b)
}

pub fn bv_ule(a: Term, b: Term) -> Term {
    compare_vectors(Comparison { signed: false, strict: false }, a, b)
}

pub fn bv_slt(a: Term, b: Term) -> Term {
    compare_vectors(Comparison { signed: true, strict: true }, a, b)
}

pub fn bv_sle(a: Term, b: Term) -> Term {
    compare_vectors(Comparison { signed: true, strict: false }, a, b)
}

pub fn bv_ugt(a: Term, b: Term) -> Term {
    bv_ult(b, a)
}

pub fn bv_uge(a: Term, b: Term) -> Term {
    bv_ule(b, a)
}

pub fn bv_sgt(a: Term, b: Term) -> Term {
    bv_slt(b, a)
}

pub fn bv_sge(a: Term, b: Term) -> Term {
    bv_sle(b, a)
}

/// One of the four comparisons of bit-vectors.
#[derive(Clone, Copy)]
struct Comparison {
    signed: bool,
    strict: bool,
}

impl Comparison {
    fn op(self) -> Op {
        match (self.signed, self.strict) {
            (false, true) => Op::BvUlt,
            (false, false) => Op::BvUle,
            (true, true) => Op::BvSlt,
            (true, false) => Op::BvSle,
        }
    }

    fn least(self, width: u32) -> u128 {
        if self.signed { bits::signed_min(width) } else { 0 }
    }

    fn greatest(self, width: u32) -> u128 {
        if self.signed { bits::signed_max(width) } else { bits::mask(width) }
    }

    /// A number whose order is that of the bit-vectors.
    fn rank(self, width: u32, a: u128) -> u128 {
        if self.signed { a ^ bits::signed_min(width) } else { a }
    }
}

fn compare_vectors(how: Comparison, a: Term, b: Term) -> Term {
    let Some(_level) = level() else { return Term::new(how.op(), &[a, b]) };
    let op = how.op();
    if let Some(folded) = fold_pair(&op, a, b) {
        return folded;
    }
    if a == b {
        return bool(!how.strict);
    }
    let rewritten = match (constant(a), constant(b)) {
        (None, Some(k)) => at_most(how, a, k),
        (Some(k), None) => at_least(how, k, b),
        _ => extended_alike(how, a, b),
    };
    rewritten.unwrap_or_else(|| Term::new(op, &[a, b]))
}

/// Compares `a` with a constant above it.
fn at_most(how: Comparison, a: Term, k: u128) -> Option<Term> {
    let w = width(a);
    let (least, greatest) = (how.least(w), how.greatest(w));
    let same = |k| eq(a, bv(w, k));
    Some(match how.strict {
        true if k == least => falsehood(),
        true if k == bits::add(w, least, 1) => same(least),
        true if k == greatest => not(same(greatest)),
        false if k == greatest => truth(),
        false if k == least => same(least),
        _ => return bounded(how, a, k, true),
    })
}

/// Compares `b` with a constant below it.
fn at_least(how: Comparison, k: u128, b: Term) -> Option<Term> {
    let w = width(b);
    let (least, greatest) = (how.least(w), how.greatest(w));
    let same = |k| eq(b, bv(w, k));
    Some(match how.strict {
        true if k == greatest => falsehood(),
        true if k == bits::sub(w, greatest, 1) => same(greatest),
        true if k == least => not(same(least)),
        false if k == least => truth(),
        false if k == greatest => same(greatest),
        _ => return bounded(how, b, k, false),
    })
}

/// Compares an extended term with a constant, which is above it or below: compares what was extended.
fn bounded(how: Comparison, t: Term, k: u128, above: bool) -> Option<Term> {
    let w = width(t);
    let (x, inner, how_inner) = match (t.op(), t.args()) {
        (Op::ZeroExtend(_), [x]) if width(*x) < w => (*x, width(*x), Comparison { signed: false, ..how }),
        (Op::SignExtend(_), [x]) if how.signed => (*x, width(*x), how),
        _ => return None,
    };
    let extend = |bits: u128| if how_inner.signed { bits::sign_extend(inner, w, bits) } else { bits };
    let rank = |bits: u128| how.rank(w, bits);
    let (least, greatest) = (extend(how_inner.least(inner)), extend(how_inner.greatest(inner)));
    Some(if rank(k) < rank(least) {
        bool(!above)
    } else if rank(k) > rank(greatest) {
        bool(above)
    } else {
        let k = bv(inner, k);
        if above { compare_vectors(how_inner, x, k) } else { compare_vectors(how_inner, k, x) }
    })
}

/// Compares two terms that were extended from one width in the same way.
fn extended_alike(how: Comparison, a: Term, b: Term) -> Option<Term> {
    match (a.op(), a.args(), b.op(), b.args()) {
        (Op::ZeroExtend(to), [x], Op::ZeroExtend(_), [y]) if x.sort() == y.sort() && width(*x) < *to => {
            Some(compare_vectors(Comparison { signed: false, ..how }, *x, *y))
        }
        (Op::SignExtend(_), [x], Op::SignExtend(_), [y]) if x.sort() == y.sort() => Some(compare_vectors(how, *x, *y)),
        _ => None,
    }
}
