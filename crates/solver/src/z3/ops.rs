//! What each operator is in Z3.
//!
//! Operators that SMT-LIB leaves open for some arguments are completed here as [`term::Op`] says.

use super::context::Ast;
use super::float;
use super::translate::{Translated, Translator, unsupported};
use term::{Op, SortKind, Term, Value};
use z3_sys::*;

type Unary = unsafe extern "C" fn(Z3_context, Z3_ast) -> Option<Z3_ast>;
type Binary = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast) -> Option<Z3_ast>;
type Nary = unsafe extern "C" fn(Z3_context, u32, *const Z3_ast) -> Option<Z3_ast>;

/// The Z3 term for `term`, whose arguments are translated. Leaves and binders are the translator's own work.
pub(super) fn apply(translator: &mut Translator, term: Term, args: &[Ast]) -> Translated {
    use Op::*;
    let c = translator.context().raw();
    // SAFETY, for all calls here: the arguments belong to the context, their sorts fit (terms are well sorted), and
    // arrays have as many elements as the calls say.
    match (term.op(), args) {
        (And, _) => nary(translator, Z3_mk_and, args),
        (Or, _) => nary(translator, Z3_mk_or, args),
        (Add, _) => nary(translator, Z3_mk_add, args),
        (Sub, _) => nary(translator, Z3_mk_sub, args),
        (Mul, _) => nary(translator, Z3_mk_mul, args),
        (Ite, [condition, then, other]) => ite(translator, condition, then, other),
        (Store, [array, index, element]) => {
            translator.own(unsafe { Z3_mk_store(c, array.raw(), index.raw(), element.raw()) })
        }
        (IntDiv, [a, b]) => total(translator, term, b, |t| binary(t, Z3_mk_div, a, b), |t| t.constant(&zero(term))),
        (RealDiv, [a, b]) => total(translator, term, b, |t| binary(t, Z3_mk_div, a, b), |t| t.constant(&zero(term))),
        (IntMod, [a, b]) => total(translator, term, b, |t| binary(t, Z3_mk_mod, a, b), |_| Ok(a.clone())),
        (Extract { high, low }, [a]) => translator.own(unsafe { Z3_mk_extract(c, *high, *low, a.raw()) }),
        (ZeroExtend(to), [a]) => {
            let more = to - width(term.args()[0]);
            translator.own(unsafe { Z3_mk_zero_ext(c, more, a.raw()) })
        }
        (SignExtend(to), [a]) => {
            let more = to - width(term.args()[0]);
            translator.own(unsafe { Z3_mk_sign_ext(c, more, a.raw()) })
        }
        (BvToInt { signed }, [a]) => translator.own(unsafe { Z3_mk_bv2int(c, a.raw(), *signed) }),
        (IntToBv(width), [a]) => translator.own(unsafe { Z3_mk_int2bv(c, *width, a.raw()) }),
        (PointerObject, [a]) => {
            let offset = width(term.args()[0]);
            translator.own(unsafe { Z3_mk_extract(c, offset + term::OBJECT_WIDTH - 1, offset, a.raw()) })
        }
        (PointerOffset, [a]) => {
            let offset = width(term.args()[0]);
            translator.own(unsafe { Z3_mk_extract(c, offset - 1, 0, a.raw()) })
        }
        (op @ (ObjectAt | Load(_) | MemStore | MemCopy | MemFill), _) => Err(unsupported(&format!("{op:?}"))),
        (op, [a]) => match unary_function(op) {
            Some(function) => translator.own(unsafe { function(c, a.raw()) }),
            None => float::apply(translator, term, args),
        },
        (op, [a, b]) => match binary_function(op) {
            Some(function) => binary(translator, function, a, b),
            None => float::apply(translator, term, args),
        },
        _ => float::apply(translator, term, args),
    }
}

fn unary_function(op: &Op) -> Option<Unary> {
    use Op::*;
    Some(match op {
        Not => Z3_mk_not,
        Neg => Z3_mk_unary_minus,
        ToReal => Z3_mk_int2real,
        ToInt => Z3_mk_real2int,
        BvNeg => Z3_mk_bvneg,
        BvNot => Z3_mk_bvnot,
        FpNeg => Z3_mk_fpa_neg,
        FpAbs => Z3_mk_fpa_abs,
        FpIsNan => Z3_mk_fpa_is_nan,
        FpIsInfinite => Z3_mk_fpa_is_infinite,
        FpIsZero => Z3_mk_fpa_is_zero,
        FpIsNormal => Z3_mk_fpa_is_normal,
        FpIsSubnormal => Z3_mk_fpa_is_subnormal,
        FpIsNegative => Z3_mk_fpa_is_negative,
        _ => return None,
    })
}

fn binary_function(op: &Op) -> Option<Binary> {
    use Op::*;
    Some(match op {
        Implies => Z3_mk_implies,
        Xor => Z3_mk_xor,
        Eq => Z3_mk_eq,
        Le => Z3_mk_le,
        Lt => Z3_mk_lt,
        BvAdd => Z3_mk_bvadd,
        BvSub => Z3_mk_bvsub,
        BvMul => Z3_mk_bvmul,
        BvUdiv => Z3_mk_bvudiv,
        BvSdiv => Z3_mk_bvsdiv,
        BvUrem => Z3_mk_bvurem,
        BvSrem => Z3_mk_bvsrem,
        BvAnd => Z3_mk_bvand,
        BvOr => Z3_mk_bvor,
        BvXor => Z3_mk_bvxor,
        BvShl => Z3_mk_bvshl,
        BvLshr => Z3_mk_bvlshr,
        BvAshr => Z3_mk_bvashr,
        BvUlt => Z3_mk_bvult,
        BvUle => Z3_mk_bvule,
        BvSlt => Z3_mk_bvslt,
        BvSle => Z3_mk_bvsle,
        Concat | Pointer => Z3_mk_concat,
        Select => Z3_mk_select,
        FpRem => Z3_mk_fpa_rem,
        FpEq => Z3_mk_fpa_eq,
        FpLt => Z3_mk_fpa_lt,
        FpLe => Z3_mk_fpa_leq,
        _ => return None,
    })
}

pub(super) fn binary(translator: &Translator, function: Binary, a: &Ast, b: &Ast) -> Translated {
    // SAFETY: the arguments belong to the context and their sorts fit.
    translator.own(unsafe { function(translator.context().raw(), a.raw(), b.raw()) })
}

pub(super) fn nary(translator: &Translator, function: Nary, args: &[Ast]) -> Translated {
    let args: Vec<Z3_ast> = args.iter().map(Ast::raw).collect();
    // SAFETY: the arguments belong to the context, their sorts fit, and the array has as many elements as it says.
    translator.own(unsafe { function(translator.context().raw(), args.len() as u32, args.as_ptr()) })
}

pub(super) fn ite(translator: &Translator, condition: &Ast, then: &Ast, other: &Ast) -> Translated {
    // SAFETY: the arguments belong to the context and their sorts fit.
    translator.own(unsafe { Z3_mk_ite(translator.context().raw(), condition.raw(), then.raw(), other.raw()) })
}

/// A division that says itself what happens at zero, unless the divisor is a constant other than zero.
fn total(
    translator: &mut Translator,
    term: Term,
    divisor: &Ast,
    quotient: impl FnOnce(&mut Translator) -> Translated,
    at_zero: impl FnOnce(&mut Translator) -> Translated,
) -> Translated {
    let nothing = zero(term);
    match term.args()[1].value() {
        Some(value) if *value == nothing => at_zero(translator),
        Some(_) => quotient(translator),
        None => {
            let nothing = translator.constant(&nothing)?;
            let is_zero = binary(translator, Z3_mk_eq, divisor, &nothing)?;
            let (quotient, at_zero) = (quotient(translator)?, at_zero(translator)?);
            ite(translator, &is_zero, &at_zero, &quotient)
        }
    }
}

/// Zero of the term's sort, which is a number sort.
fn zero(term: Term) -> Value {
    Value::zero(term.sort()).expect("number sorts have a zero")
}

/// The width of a bit-vector, or of a pointer's offset.
pub(super) fn width(term: Term) -> u32 {
    match term.sort().kind() {
        SortKind::BitVec(width) | SortKind::Pointer(width) => *width,
        kind => unreachable!("well-sorted terms have no {kind:?} here"),
    }
}
