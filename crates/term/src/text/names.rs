//! The names of the operators in the textual notation.

use crate::{Op, Rounding};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Operators that are written by their name alone.
const PLAIN: [Op; 68] = [
    Op::Not,
    Op::And,
    Op::Or,
    Op::Implies,
    Op::Xor,
    Op::Eq,
    Op::Ite,
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::IntDiv,
    Op::IntMod,
    Op::RealDiv,
    Op::Le,
    Op::Lt,
    Op::ToReal,
    Op::ToInt,
    Op::BvAdd,
    Op::BvSub,
    Op::BvMul,
    Op::BvNeg,
    Op::BvUdiv,
    Op::BvSdiv,
    Op::BvUrem,
    Op::BvSrem,
    Op::BvAnd,
    Op::BvOr,
    Op::BvXor,
    Op::BvNot,
    Op::BvShl,
    Op::BvLshr,
    Op::BvAshr,
    Op::BvUlt,
    Op::BvUle,
    Op::BvSlt,
    Op::BvSle,
    Op::Concat,
    Op::BvToInt { signed: false },
    Op::BvToInt { signed: true },
    Op::FpAdd(Rounding::NearestEven),
    Op::FpSub(Rounding::NearestEven),
    Op::FpMul(Rounding::NearestEven),
    Op::FpDiv(Rounding::NearestEven),
    Op::FpRem,
    Op::FpFma(Rounding::NearestEven),
    Op::FpSqrt(Rounding::NearestEven),
    Op::FpNeg,
    Op::FpAbs,
    Op::FpEq,
    Op::FpLt,
    Op::FpLe,
    Op::FpIsNan,
    Op::FpIsInfinite,
    Op::FpIsZero,
    Op::FpIsNormal,
    Op::FpIsSubnormal,
    Op::FpIsNegative,
    Op::FpToBits,
    Op::FpToReal,
    Op::Select,
    Op::Store,
    Op::Pointer,
    Op::PointerObject,
    Op::PointerOffset,
    Op::ObjectAt,
    Op::MemStore,
    Op::MemCopy,
    Op::MemFill,
];

/// The name of an operator that is written by its name alone.
pub(crate) fn plain_name(op: &Op) -> Option<&'static str> {
    use Op::*;
    Some(match op {
        Not => "not",
        And => "and",
        Or => "or",
        Implies => "=>",
        Xor => "xor",
        Eq => "=",
        Ite => "ite",
        Add => "+",
        Sub | Neg => "-",
        Mul => "*",
        IntDiv => "div",
        IntMod => "mod",
        RealDiv => "/",
        Le => "<=",
        Lt => "<",
        ToReal => "to_real",
        ToInt => "to_int",
        BvAdd => "bvadd",
        BvSub => "bvsub",
        BvMul => "bvmul",
        BvNeg => "bvneg",
        BvUdiv => "bvudiv",
        BvSdiv => "bvsdiv",
        BvUrem => "bvurem",
        BvSrem => "bvsrem",
        BvAnd => "bvand",
        BvOr => "bvor",
        BvXor => "bvxor",
        BvNot => "bvnot",
        BvShl => "bvshl",
        BvLshr => "bvlshr",
        BvAshr => "bvashr",
        BvUlt => "bvult",
        BvUle => "bvule",
        BvSlt => "bvslt",
        BvSle => "bvsle",
        Concat => "concat",
        BvToInt { signed: false } => "ubv_to_int",
        BvToInt { signed: true } => "sbv_to_int",
        FpAdd(Rounding::NearestEven) => "fp.add",
        FpSub(Rounding::NearestEven) => "fp.sub",
        FpMul(Rounding::NearestEven) => "fp.mul",
        FpDiv(Rounding::NearestEven) => "fp.div",
        FpRem => "fp.rem",
        FpFma(Rounding::NearestEven) => "fp.fma",
        FpSqrt(Rounding::NearestEven) => "fp.sqrt",
        FpNeg => "fp.neg",
        FpAbs => "fp.abs",
        FpEq => "fp.eq",
        FpLt => "fp.lt",
        FpLe => "fp.leq",
        FpIsNan => "fp.isNaN",
        FpIsInfinite => "fp.isInfinite",
        FpIsZero => "fp.isZero",
        FpIsNormal => "fp.isNormal",
        FpIsSubnormal => "fp.isSubnormal",
        FpIsNegative => "fp.isNegative",
        FpToBits => "fp.to_bits",
        FpToReal => "fp.to_real",
        Select => "select",
        Store => "store",
        Pointer => "pointer",
        PointerObject => "pointer.object",
        PointerOffset => "pointer.offset",
        ObjectAt => "object-at",
        MemStore => "mem.store",
        MemCopy => "mem.copy",
        MemFill => "mem.fill",
        _ => return None,
    })
}

/// Operations on floats that round.
const ROUNDED: [fn(Rounding) -> Op; 6] = [Op::FpAdd, Op::FpSub, Op::FpMul, Op::FpDiv, Op::FpFma, Op::FpSqrt];

/// The name of an operation that rounds, and how it does. Rounding to the nearest is not written.
pub(crate) fn rounded_name(op: &Op) -> Option<(&'static str, Rounding)> {
    use Op::*;
    let (FpAdd(by) | FpSub(by) | FpMul(by) | FpDiv(by) | FpFma(by) | FpSqrt(by)) = op else { return None };
    let to_nearest = ROUNDED.into_iter().find(|rounded| rounded(*by) == *op)?(Rounding::NearestEven);
    Some((plain_name(&to_nearest)?, *by))
}

/// The operation of a name that rounds.
pub(super) fn rounded_op(name: &str) -> Option<fn(Rounding) -> Op> {
    ROUNDED.into_iter().find(|rounded| plain_name(&rounded(Rounding::NearestEven)) == Some(name))
}

/// The operator of a name. `-` is `Sub` here; with one argument it is `Neg`.
pub(super) fn plain_op(name: &str) -> Option<&'static Op> {
    static BY_NAME: LazyLock<FxHashMap<&'static str, Op>> =
        LazyLock::new(|| PLAIN.into_iter().filter_map(|op| Some((plain_name(&op)?, op))).collect());
    BY_NAME.get(name)
}

/// Words of the notation itself.
const WORDS: [&str; 10] = ["true", "false", "let", "forall", "exists", "lambda", "as", "const", "_", "!"];

/// Whether a bare word is not free for variables and functions.
pub(super) fn is_reserved(word: &str) -> bool {
    plain_op(word).is_some() || WORDS.contains(&word) || word.starts_with('?')
}

pub(crate) fn rounding_name(rounding: Rounding) -> &'static str {
    match rounding {
        Rounding::NearestEven => "RNE",
        Rounding::NearestAway => "RNA",
        Rounding::TowardZero => "RTZ",
        Rounding::TowardPositive => "RTP",
        Rounding::TowardNegative => "RTN",
    }
}

pub(super) fn rounding(name: &str) -> Option<Rounding> {
    use Rounding::*;
    [NearestEven, NearestAway, TowardZero, TowardPositive, TowardNegative]
        .into_iter()
        .find(|r| rounding_name(*r) == name)
}
