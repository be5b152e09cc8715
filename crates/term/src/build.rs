//! Smart constructors: one for each operator, named after it, which rewrite locally.
//!
//! Each looks at the arguments and their own arguments, not deeper, so it costs about as much as making the node.
//! Constants are folded with [`crate::eval::apply`]; what these functions give always equals the plain node
//! [`Term::new`] would give, in every model. Beyond that the form is not promised, but some of it is good to know:
//!
//! * constants are the second argument of commutative operators; other arguments are ordered by age;
//! * `implies`, `xor`, `ge`, `gt` and their like make no nodes of their own: they become `Or`, `Not Eq`, `Le`, `Lt`;
//! * sums keep their constant outermost, and subtracting a constant adds its negation;
//! * an operator on `ite(c, k1, k2)` with constants k1 and k2 moves into the branches, so C's `(a < b) != 0` is `a < b`.
//!
//! # Panics
//! All of them panic, as [`Term::new`] does, if the sorts of the arguments do not fit: a bug of the caller.

mod array;
mod boolean;
mod bv;
mod compare;
mod equal;
mod float;
mod memory;
mod number;
mod resize;

pub use array::*;
pub use boolean::*;
pub use bv::*;
pub use compare::*;
pub use equal::eq;
pub(crate) use equal::low_bits_of;
pub use float::*;
pub use memory::*;
pub use number::*;
pub use resize::*;

use crate::{Function, Op, Sort, Term, Value, eval};
use std::cell::Cell;

/// Constructors call each other at most this deep. What the constructors made never needs more than a few levels; a chain of
/// plain nodes that they would shorten, however long, must not overflow the stack.
const MAX_LEVEL: u32 = 100;

thread_local! {
    static LEVEL: Cell<u32> = const { Cell::new(0) };
}

/// One level of constructors calling each other, until it is dropped.
struct Level;

/// Another level, if there may be one. Without it a constructor makes its node as it is.
fn level() -> Option<Level> {
    LEVEL.with(|level| {
        (level.get() < MAX_LEVEL).then(|| {
            level.set(level.get() + 1);
            Level
        })
    })
}

impl Drop for Level {
    fn drop(&mut self) {
        LEVEL.with(|level| level.set(level.get() - 1));
    }
}

/// `op(args)` through the constructor of `op`.
pub fn make(op: &Op, args: &[Term]) -> Term {
    use Op::*;
    match (op, args) {
        (And, _) => and(args.iter().copied()),
        (Or, _) => or(args.iter().copied()),
        (Apply(function), _) => apply(function.clone(), args),
        (Forall(bound), [body, triggers @ ..]) => forall_triggered(bound.clone(), *body, triggers),
        (Exists(bound), [body, triggers @ ..]) => exists_triggered(bound.clone(), *body, triggers),
        (_, []) => Term::new(op.clone(), &[]),
        (_, [a]) => make_unary(op, *a),
        (_, [a, b]) => make_binary(op, *a, *b),
        (Ite, [c, a, b]) => ite(*c, *a, *b),
        (FpFma(by), [x, y, z]) => fp_fma(*by, *x, *y, *z),
        (Op::Store, [a, i, v]) => store(*a, *i, *v),
        (ObjectAt, [bases, sizes, address]) => object_at(*bases, *sizes, *address),
        (MemStore, [m, p, v]) => mem_store(*m, *p, *v),
        (MemCopy, [m, to, from, length]) => mem_copy(*m, *to, *from, *length),
        (MemFill, [m, to, byte, length]) => mem_fill(*m, *to, *byte, *length),
        _ => Term::new(op.clone(), args),
    }
}

fn make_unary(op: &Op, a: Term) -> Term {
    use Op::*;
    match op {
        Not => not(a),
        Neg => neg(a),
        ToReal => to_real(a),
        ToInt => to_int(a),
        BvNeg => bv_neg(a),
        BvNot => bv_not(a),
        Extract { high, low } => extract(*high, *low, a),
        ZeroExtend(to) => zero_extend(*to, a),
        SignExtend(to) => sign_extend(*to, a),
        BvToInt { signed } => bv_to_int(*signed, a),
        IntToBv(width) => int_to_bv(*width, a),
        FpSqrt(by) => fp_sqrt(*by, a),
        FpNeg => fp_neg(a),
        FpAbs => fp_abs(a),
        FpRoundToIntegral(rounding) => fp_round_to_integral(*rounding, a),
        FpIsNan => fp_is_nan(a),
        FpIsInfinite => fp_is_infinite(a),
        FpIsZero => fp_is_zero(a),
        FpIsNormal => fp_is_normal(a),
        FpIsSubnormal => fp_is_subnormal(a),
        FpIsNegative => fp_is_negative(a),
        FpToFp(format, rounding) => fp_to_fp(*format, *rounding, a),
        BvToFp { format, signed, rounding } => bv_to_fp(*format, *signed, *rounding, a),
        FpToBv { width, signed, rounding } => fp_to_bv(*width, *signed, *rounding, a),
        FpFromBits(format) => fp_from_bits(*format, a),
        FpToBits => fp_to_bits(a),
        RealToFp(format, rounding) => real_to_fp(*format, *rounding, a),
        FpToReal => fp_to_real(a),
        ConstArray(sort) => const_array(*sort, a),
        PointerObject => pointer_object(a),
        PointerOffset => pointer_offset(a),
        Lambda(bound) if bound.len() == 1 => lambda(bound[0], a),
        _ => Term::new(op.clone(), &[a]),
    }
}

fn make_binary(op: &Op, a: Term, b: Term) -> Term {
    use Op::*;
    let constructor = match op {
        Implies => implies,
        Xor => xor,
        Eq => eq,
        Add => add,
        Sub => sub,
        Mul => mul,
        IntDiv => int_div,
        IntMod => int_mod,
        RealDiv => real_div,
        Le => le,
        Lt => lt,
        BvAdd => bv_add,
        BvSub => bv_sub,
        BvMul => bv_mul,
        BvUdiv => bv_udiv,
        BvSdiv => bv_sdiv,
        BvUrem => bv_urem,
        BvSrem => bv_srem,
        BvAnd => bv_and,
        BvOr => bv_or,
        BvXor => bv_xor,
        BvShl => bv_shl,
        BvLshr => bv_lshr,
        BvAshr => bv_ashr,
        BvUlt => bv_ult,
        BvUle => bv_ule,
        BvSlt => bv_slt,
        BvSle => bv_sle,
        Concat => concat,
        FpAdd(by) => return fp_add(*by, a, b),
        FpSub(by) => return fp_sub(*by, a, b),
        FpMul(by) => return fp_mul(*by, a, b),
        FpDiv(by) => return fp_div(*by, a, b),
        FpRem => fp_rem,
        FpEq => fp_eq,
        FpLt => fp_lt,
        FpLe => fp_le,
        Select => select,
        Pointer => pointer,
        Load(sort) => return load(*sort, a, b),
        _ => return Term::new(op.clone(), &[a, b]),
    };
    constructor(a, b)
}

/// An uninterpreted function of some arguments.
pub fn apply(function: Function, args: &[Term]) -> Term {
    Term::new(Op::Apply(function), args)
}

/// The two constant branches of `ite(c, k1, k2)`.
fn constant_branches(t: Term) -> Option<(Term, &'static Value, &'static Value)> {
    match (t.op(), t.args()) {
        (Op::Ite, [c, a, b]) => Some((*c, a.value()?, b.value()?)),
        _ => None,
    }
}

/// `op(a)` folded, where `a` is a constant or chooses between two.
fn fold_unary(op: &Op, a: Term) -> Option<Term> {
    let fold = |x: &Value| eval::apply(op, std::slice::from_ref(x)).map(Term::constant);
    match a.op() {
        Op::Const(x) => fold(x),
        Op::Ite => {
            let (c, x, y) = constant_branches(a)?;
            Some(ite(c, fold(x)?, fold(y)?))
        }
        _ => None,
    }
}

/// `op(a, b)` folded, where one is a constant and the other too or chooses between two.
fn fold_binary(op: &Op, a: Term, b: Term) -> Option<Term> {
    let fold = |x: &Value, y: &Value| eval::apply(op, &[x.clone(), y.clone()]).map(Term::constant);
    match (a.op(), b.op()) {
        (Op::Const(x), Op::Const(y)) => fold(x, y),
        (Op::Ite, Op::Const(y)) => {
            let (c, x1, x2) = constant_branches(a)?;
            Some(ite(c, fold(x1, y)?, fold(x2, y)?))
        }
        (Op::Const(x), Op::Ite) => {
            let (c, y1, y2) = constant_branches(b)?;
            Some(ite(c, fold(x, y1)?, fold(x, y2)?))
        }
        _ => None,
    }
}

/// [`fold_binary`] for an operator on two arguments of one sort.
fn fold_pair(op: &Op, a: Term, b: Term) -> Option<Term> {
    assert!(a.sort() == b.sort(), "{op:?} does not apply to ({}, {})", a.sort(), b.sort());
    fold_binary(op, a, b)
}

/// `op(a)`, folded if that can be.
fn unary(op: Op, a: Term) -> Term {
    fold_unary(&op, a).unwrap_or_else(|| Term::new(op, &[a]))
}

/// `op(a, b)` for two arguments of one sort, folded if that can be.
fn pair(op: Op, a: Term, b: Term) -> Term {
    fold_pair(&op, a, b).unwrap_or_else(|| Term::new(op, &[a, b]))
}

/// The order of a commutative operator's arguments.
fn ordered(a: Term, b: Term) -> (Term, Term) {
    let key = |t: Term| (t.value().is_some(), t);
    if key(a) <= key(b) { (a, b) } else { (b, a) }
}
