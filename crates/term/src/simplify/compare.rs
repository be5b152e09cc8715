//! Comparisons and equalities in one form.

use super::linear::{Coefficient, Linear};
use crate::build::*;
use crate::{Bv, Op, Sort, SortKind, Term, Value, bits, build};
use dashu::base::{Gcd, Sign};
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;

/// `Le` or `Lt` of numbers: the oldest term is on the left with a positive coefficient, `Not` is outside.
pub(super) fn numbers(term: Term) -> Option<Term> {
    let (a, b) = (term.args()[0], term.args()[1]);
    let strict = *term.op() == Op::Lt;
    if let Some(vectors) = vectors_instead(a, b, strict) {
        return Some(vectors);
    }
    if a.sort() == Sort::int() { integers(a, b, strict) } else { reals(a, b, strict) }
}

fn integers(a: Term, b: Term, strict: bool) -> Option<Term> {
    let mut linear = Linear::<IBig>::of(&[(a, false), (b, true)])?;
    if strict {
        linear.constant += IBig::ONE;
    }
    // The terms' sum is at most `most`.
    let most = -&linear.constant;
    let Some(divisor) = common_divisor(&linear) else { return Some(bool(most >= IBig::ZERO)) };
    linear.is_no_larger().then_some(())?;
    let negative = linear.terms[0].1.is_negative();
    let mut sum = linear.map(|c| c / &divisor);
    let mut most = floor_div(&most, &divisor);
    if negative {
        // -s is at most m exactly if s is not at most -m - 1.
        sum = sum.negated();
        most = -most - IBig::ONE;
    }
    let (left, right) = sum.sides();
    let right = right.map_or_else(|| int(most.clone()), |right| add(right, int(most.clone())));
    let atom = le(left?, right);
    Some(if negative { not(atom) } else { atom })
}

fn floor_div(a: &IBig, b: &IBig) -> IBig {
    let quotient = a / b;
    if (a - &quotient * b).is_negative() { quotient - IBig::ONE } else { quotient }
}

/// The greatest common divisor of the coefficients, positive. `None` if there are none.
fn common_divisor(linear: &Linear<IBig>) -> Option<IBig> {
    let magnitudes = linear.terms.iter().map(|(_, c)| magnitude(c));
    magnitudes.reduce(|a, b| a.gcd(b)).map(IBig::from)
}

fn magnitude(n: &IBig) -> UBig {
    n.clone().into_parts().1
}

fn reals(a: Term, b: Term, strict: bool) -> Option<Term> {
    let linear = Linear::<RBig>::of(&[(a, false), (b, true)])?;
    let Some((_, leading)) = linear.terms.first() else {
        let constant = &linear.constant;
        return Some(bool(constant.is_negative() || (!strict && constant.is_zero())));
    };
    linear.is_no_larger().then_some(())?;
    let flipped = leading.is_negative();
    let leading = leading.clone();
    let sum = linear.map(|c| c / &leading);
    let (left, right) = sum.sides();
    let most = -&sum.constant;
    let right = right.map_or_else(|| real(most.clone()), |right| add(right, real(most.clone())));
    // s >= m is not s < m; s > m is not s <= m.
    let atom = if strict != flipped { lt(left?, right) } else { le(left?, right) };
    Some(if flipped { not(atom) } else { atom })
}

/// A comparison of bit-vectors as integers, as one of the bit-vectors.
fn vectors_instead(a: Term, b: Term, strict: bool) -> Option<Term> {
    let vector = |t: Term| match (t.op(), t.args()) {
        (Op::BvToInt { signed }, [x]) => Some((*x, *signed)),
        _ => None,
    };
    let compare = |signed: bool, x: Term, y: Term| match (signed, strict) {
        (false, false) => bv_ule(x, y),
        (false, true) => bv_ult(x, y),
        (true, false) => bv_sle(x, y),
        (true, true) => bv_slt(x, y),
    };
    match (vector(a), vector(b)) {
        (Some((x, s)), Some((y, t))) if s == t && x.sort() == y.sort() => Some(compare(s, x, y)),
        (Some((x, signed)), None) => match constant_near(x, signed, b)? {
            Near::Within(k) => Some(compare(signed, x, k)),
            Near::Below => Some(falsehood()),
            Near::Above => Some(truth()),
        },
        (None, Some((y, signed))) => match constant_near(y, signed, a)? {
            Near::Within(k) => Some(compare(signed, k, y)),
            Near::Below => Some(truth()),
            Near::Above => Some(falsehood()),
        },
        _ => None,
    }
}

/// Where an integer lies beside the values of a bit-vector.
enum Near {
    Within(Term),
    Below,
    Above,
}

fn constant_near(x: Term, signed: bool, constant: Term) -> Option<Near> {
    let Value::Int(k) = constant.value()? else { return None };
    let width = x.sort().bv_width()?;
    Some(match build::low_bits_of(width, signed, k) {
        Some(bits) => Near::Within(bv(width, bits)),
        None if k.sign() == Sign::Negative => Near::Below,
        None => Near::Above,
    })
}

/// A comparison of bit-vectors: constants on the right, `BvUle` and `BvSle` only.
pub(super) fn vectors(term: Term) -> Option<Term> {
    let (a, b) = (term.args()[0], term.args()[1]);
    let width = a.sort().bv_width()?;
    let constant = |t: Term| t.as_bv().map(|k| k.unsigned());
    let below = |k: u128| bv(width, bits::sub(width, k, 1));
    match (term.op(), constant(a), constant(b)) {
        // The constructors see to it that a constant here is not the least: there is one below it.
        (Op::BvUlt, None, Some(k)) => Some(bv_ule(a, below(k))),
        (Op::BvSlt, None, Some(k)) => Some(bv_sle(a, below(k))),
        (Op::BvUle, Some(k), None) => Some(not(bv_ule(b, below(k)))),
        (Op::BvSle, Some(k), None) => Some(not(bv_sle(b, below(k)))),
        (Op::BvUlt, _, None) => Some(not(bv_ule(b, a))),
        (Op::BvSlt, _, None) => Some(not(bv_sle(b, a))),
        _ => None,
    }
}

/// An equality of numbers or bit-vectors with like terms cancelled.
pub(super) fn equality(term: Term) -> Option<Term> {
    let (a, b) = (term.args()[0], term.args()[1]);
    match a.sort().kind() {
        SortKind::Int => equal_integers(a, b),
        SortKind::Real => {
            let linear = Linear::<RBig>::of(&[(a, false), (b, true)])?;
            let Some((_, leading)) = linear.terms.first() else { return Some(bool(linear.constant.is_zero())) };
            let leading = leading.clone();
            linear.is_no_larger().then(|| balanced(&linear.map(|c| c / &leading)))
        }
        SortKind::BitVec(_) => equal_vectors(a, b),
        _ => None,
    }
}

fn equal_integers(a: Term, b: Term) -> Option<Term> {
    let linear = Linear::<IBig>::of(&[(a, false), (b, true)])?;
    let Some(divisor) = common_divisor(&linear) else { return Some(bool(linear.constant.is_zero())) };
    if !(&linear.constant % &divisor).is_zero() {
        return Some(falsehood());
    }
    linear.is_no_larger().then_some(())?;
    let divisor = if linear.terms[0].1.is_negative() { -divisor } else { divisor };
    Some(balanced(&linear.map(|c| c / &divisor)))
}

fn equal_vectors(a: Term, b: Term) -> Option<Term> {
    let linear = Linear::<Bv>::of(&[(a, false), (b, true)])?;
    let Some((_, leading)) = linear.terms.first() else { return Some(bool(linear.constant.is_zero())) };
    // Even coefficients do not give an odd constant.
    let twos = linear.terms.iter().map(|(_, c)| c.unsigned().trailing_zeros()).min()?;
    if linear.constant.unsigned().trailing_zeros() < twos {
        return Some(falsehood());
    }
    linear.is_no_larger().then_some(())?;
    Some(balanced(&match inverse(*leading) {
        Some(inverse) if linear.terms.len() == 1 => linear.map(|c| c.times(&inverse)),
        _ if leading.is_negative() => linear.negated(),
        _ => linear,
    }))
}

/// The factor that makes an odd coefficient one.
fn inverse(coefficient: Bv) -> Option<Bv> {
    let odd = coefficient.unsigned();
    if odd & 1 == 0 {
        return None;
    }
    // Each step doubles the number of low bits that are right; the first three are, since odd squares are 1 modulo 8.
    let mut inverse = odd;
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    Some(Bv::new(coefficient.width(), inverse))
}

/// That the combination is zero, with the negative terms and the constant on the right.
fn balanced<C: Coefficient>(linear: &Linear<C>) -> Term {
    let constant = Term::constant(linear.constant.negated().value());
    let is_vector = constant.as_bv().is_some();
    match linear.sides() {
        (Some(left), None) => eq(left, constant),
        (None, Some(right)) => eq(right, Term::constant(linear.constant.clone().value())),
        (Some(left), Some(right)) if is_vector => eq(left, bv_add(right, constant)),
        (Some(left), Some(right)) => eq(left, add(right, constant)),
        (None, None) => bool(linear.constant.is_zero()),
    }
}
