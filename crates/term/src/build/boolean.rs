//! Booleans, equality, `ite` and binders.

use super::*;
use std::sync::LazyLock;

/// Nested conjunctions and disjunctions of at most this many arguments are flattened. Larger ones stay one argument,
/// so that a formula which grows conjunct by conjunct takes linear, not quadratic, space.
const FLAT: usize = 16;

static TRUTH: LazyLock<Term> = LazyLock::new(|| Term::constant(Value::Bool(true)));
static FALSEHOOD: LazyLock<Term> = LazyLock::new(|| Term::constant(Value::Bool(false)));

/// True.
pub fn truth() -> Term {
    *TRUTH
}

/// False.
pub fn falsehood() -> Term {
    *FALSEHOOD
}

/// A truth value.
pub fn bool(b: bool) -> Term {
    if b { truth() } else { falsehood() }
}

pub fn not(a: Term) -> Term {
    match a.op() {
        Op::Const(Value::Bool(b)) => bool(!b),
        Op::Not => a.args()[0],
        _ => Term::new(Op::Not, &[a]),
    }
}

/// The conjunction of any number of terms; of none, true.
pub fn and(conjuncts: impl IntoIterator<Item = Term>) -> Term {
    junction(Op::And, conjuncts.into_iter(), FLAT)
}

/// The disjunction of any number of terms; of none, false.
pub fn or(disjuncts: impl IntoIterator<Item = Term>) -> Term {
    junction(Op::Or, disjuncts.into_iter(), FLAT)
}

/// A conjunction or disjunction: flat (nested ones up to the size `flat`), sorted, without repetition.
pub(crate) fn junction(op: Op, args: impl Iterator<Item = Term>, flat: usize) -> Term {
    let neutral = bool(op == Op::And);
    let absorbing = bool(op != Op::And);
    let mut list = Vec::with_capacity(args.size_hint().0.max(4));
    for a in args {
        assert!(a.sort().is_bool(), "{op:?} does not apply to {}", a.sort());
        if a == absorbing {
            return absorbing;
        } else if a.op() == &op && a.args().len() <= flat {
            list.extend_from_slice(a.args());
        } else if a != neutral {
            list.push(a);
        }
    }
    list.sort_unstable();
    list.dedup();
    match list[..] {
        [] => return neutral,
        [a] => return a,
        _ => {}
    }
    let contradicts = |a: &Term| *a.op() == Op::Not && list.binary_search(&a.args()[0]).is_ok();
    if list.iter().any(contradicts) {
        return absorbing;
    }
    Term::new(op, &list)
}

/// `not a or b`.
pub fn implies(a: Term, b: Term) -> Term {
    or([not(a), b])
}

/// `a differs from b`.
pub fn xor(a: Term, b: Term) -> Term {
    assert!(a.sort().is_bool(), "xor of {}", a.sort());
    not(eq(a, b))
}

pub fn ne(a: Term, b: Term) -> Term {
    not(eq(a, b))
}

pub fn ite(condition: Term, then: Term, other: Term) -> Term {
    let (c, a, b) = match condition.op() {
        Op::Const(Value::Bool(true)) if then.sort() == other.sort() => return then,
        Op::Const(Value::Bool(false)) if then.sort() == other.sort() => return other,
        Op::Not => (condition.args()[0], other, then),
        _ => (condition, then, other),
    };
    let (a, b) = (under(c, true, a), under(c, false, b));
    if a == b {
        return a;
    }
    if a.sort().is_bool() && b.sort().is_bool() {
        return bool_ite(c, a, b);
    }
    // ite(x = k, k, x) is x.
    if let (Op::Eq, [x, y]) = (c.op(), c.args())
        && ((a == *x && b == *y) || (a == *y && b == *x))
    {
        return b;
    }
    Term::new(Op::Ite, &[c, a, b])
}

/// `t` where `c` is known, if `t` is an `ite` that asks for it.
fn under(c: Term, holds: bool, t: Term) -> Term {
    match (t.op(), t.args()) {
        (Op::Ite, [d, a, b]) if *d == c => {
            if holds {
                *a
            } else {
                *b
            }
        }
        _ => t,
    }
}

fn bool_ite(c: Term, a: Term, b: Term) -> Term {
    match (a.as_bool(), b.as_bool()) {
        (Some(true), Some(false)) => c,
        (Some(false), Some(true)) => not(c),
        (Some(true), _) => or([c, b]),
        (Some(false), _) => and([not(c), b]),
        (_, Some(true)) => or([not(c), a]),
        (_, Some(false)) => and([c, a]),
        _ if a == c => or([c, b]),
        _ if b == c => and([c, a]),
        _ if a == not(b) => eq(c, a),
        _ => Term::new(Op::Ite, &[c, a, b]),
    }
}

/// For all values of the variables `bound`.
pub fn forall(bound: impl IntoIterator<Item = Term>, body: Term) -> Term {
    forall_triggered(bound, body, &[])
}

/// For some values of the variables `bound`.
pub fn exists(bound: impl IntoIterator<Item = Term>, body: Term) -> Term {
    exists_triggered(bound, body, &[])
}

/// [`forall`] with triggers.
pub fn forall_triggered(bound: impl IntoIterator<Item = Term>, body: Term, triggers: &[Term]) -> Term {
    quantified(Op::Forall, bound, body, triggers)
}

/// [`exists`] with triggers.
pub fn exists_triggered(bound: impl IntoIterator<Item = Term>, body: Term, triggers: &[Term]) -> Term {
    quantified(Op::Exists, bound, body, triggers)
}

fn quantified(op: fn(Vec<Term>) -> Op, bound: impl IntoIterator<Item = Term>, body: Term, triggers: &[Term]) -> Term {
    let bound: Vec<Term> = bound.into_iter().collect();
    if bound.is_empty() || body.as_bool().is_some() {
        return body;
    }
    let args: Vec<Term> = std::iter::once(body).chain(triggers.iter().copied()).collect();
    Term::new(op(bound), &args)
}

/// The array that maps the variable `bound` to the body.
pub fn lambda(bound: Term, body: Term) -> Term {
    match body.value() {
        Some(_) => const_array(Sort::array(bound.sort(), body.sort()), body),
        None => Term::new(Op::Lambda(vec![bound]), &[body]),
    }
}
