//! The sort of an operator applied to arguments, and what is wrong when there is none.

use crate::{FloatFormat, Op, Sort, SortKind, Term};
use std::fmt;

/// An operator was applied to arguments that do not fit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SortError {
    pub message: String,
}

impl fmt::Display for SortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SortError {}

/// The sort of `op(args)`.
pub(crate) fn sort_of(op: &Op, args: &[Term]) -> Result<Sort, SortError> {
    infer(op, args).ok_or_else(|| {
        let sorts: Vec<String> = args.iter().map(|a| a.sort().to_string()).collect();
        SortError { message: format!("{op:?} does not apply to ({})", sorts.join(", ")) }
    })
}

fn infer(op: &Op, args: &[Term]) -> Option<Sort> {
    use Op::*;
    let bool = Sort::bool();
    // Few operators take more than four arguments; the others' sorts need no allocation.
    let mut few = [bool; 4];
    let many: Vec<Sort>;
    let sorts: &[Sort] = if args.len() <= few.len() {
        args.iter().zip(&mut few).for_each(|(a, sort)| *sort = a.sort());
        &few[..args.len()]
    } else {
        many = args.iter().map(|a| a.sort()).collect();
        &many
    };
    Some(match op {
        Const(value) => value.is_canonical().then(|| none(sorts, value.sort()))??,
        Var { sort, .. } => none(sorts, *sort)?,
        Not => exactly(sorts, &[bool], bool)?,
        And | Or => (sorts.len() >= 2 && sorts.iter().all(|s| *s == bool)).then_some(bool)?,
        Implies | Xor => exactly(sorts, &[bool, bool], bool)?,
        Eq => pair(sorts, |_| true).map(|_| bool)?,
        Ite => match *sorts {
            [condition, then, other] if condition == bool && then == other => then,
            _ => return None,
        },
        Add | Sub | Mul => pair(sorts, is_number)?,
        Neg => single(sorts, is_number)?,
        IntDiv | IntMod => exactly(sorts, &[Sort::int(); 2], Sort::int())?,
        RealDiv => exactly(sorts, &[Sort::real(); 2], Sort::real())?,
        Le | Lt => pair(sorts, is_number).map(|_| bool)?,
        ToReal => exactly(sorts, &[Sort::int()], Sort::real())?,
        ToInt => exactly(sorts, &[Sort::real()], Sort::int())?,
        BvAdd | BvSub | BvMul | BvUdiv | BvSdiv | BvUrem | BvSrem | BvAnd | BvOr | BvXor | BvShl | BvLshr | BvAshr => {
            pair(sorts, is_bv)?
        }
        BvNeg | BvNot => single(sorts, is_bv)?,
        BvUlt | BvUle | BvSlt | BvSle => pair(sorts, is_bv).map(|_| bool)?,
        Concat => match *sorts {
            [high, low] => {
                let width = high.bv_width()? + low.bv_width()?;
                (width <= crate::MAX_WIDTH).then(|| Sort::bv(width))?
            }
            _ => return None,
        },
        Extract { high, low } => {
            let width = single(sorts, is_bv)?.bv_width()?;
            (low <= high && *high < width).then(|| Sort::bv(high - low + 1))?
        }
        ZeroExtend(to) | SignExtend(to) => {
            let width = single(sorts, is_bv)?.bv_width()?;
            (width <= *to && *to <= crate::MAX_WIDTH).then(|| Sort::bv(*to))?
        }
        BvToInt { .. } => single(sorts, is_bv).map(|_| Sort::int())?,
        IntToBv(width) => {
            valid_width(*width)?;
            exactly(sorts, &[Sort::int()], Sort::bv(*width))?
        }
        FpAdd(_) | FpSub(_) | FpMul(_) | FpDiv(_) | FpRem => pair(sorts, is_float)?,
        FpFma(_) => match *sorts {
            [x, y, z] if is_float(x) && x == y && y == z => x,
            _ => return None,
        },
        FpSqrt(_) | FpNeg | FpAbs | FpRoundToIntegral(_) => single(sorts, is_float)?,
        FpEq | FpLt | FpLe => pair(sorts, is_float).map(|_| bool)?,
        FpIsNan | FpIsInfinite | FpIsZero | FpIsNormal | FpIsSubnormal | FpIsNegative => {
            single(sorts, is_float).map(|_| bool)?
        }
        FpToFp(format, _) => {
            single(sorts, is_float)?;
            supported(*format)?
        }
        BvToFp { format, .. } => {
            single(sorts, is_bv)?;
            supported(*format)?
        }
        FpToBv { width, .. } => {
            valid_width(*width)?;
            single(sorts, is_float).map(|_| Sort::bv(*width))?
        }
        FpFromBits(format) => {
            let float = supported(*format)?;
            exactly(sorts, &[Sort::bv(format.width())], float)?
        }
        FpToBits => match single(sorts, is_float)?.kind() {
            SortKind::Float(format) => Sort::bv(format.width()),
            _ => return None,
        },
        RealToFp(format, _) => exactly(sorts, &[Sort::real()], supported(*format)?)?,
        FpToReal => single(sorts, is_float).map(|_| Sort::real())?,
        Select => match *sorts {
            [array, index] => match array.kind() {
                SortKind::Array(from, to) if *from == index => *to,
                _ => return None,
            },
            _ => return None,
        },
        Store => match *sorts {
            [array, index, element] if *array.kind() == SortKind::Array(index, element) => array,
            _ => return None,
        },
        ConstArray(sort) => match sort.kind() {
            SortKind::Array(_, element) => exactly(sorts, &[*element], *sort)?,
            _ => return None,
        },
        Apply(function) => exactly(sorts, &function.parameters, function.result)?,
        Pointer => match *sorts {
            [object, offset] if object == Sort::object() => match offset.bv_width()? {
                width @ (32 | 64) => Sort::pointer(width),
                _ => return None,
            },
            _ => return None,
        },
        PointerObject => pointer_width(single(sorts, |_| true)?).map(|_| Sort::object())?,
        PointerOffset => pointer_width(single(sorts, |_| true)?).map(Sort::bv)?,
        ObjectAt => match *sorts {
            [bases, sizes, address]
                if *bases.kind() == SortKind::Array(Sort::object(), address) && bases == sizes && is_bv(address) =>
            {
                Sort::object()
            }
            _ => return None,
        },
        Load(sort) => match *sorts {
            [memory, at] => {
                sort.bytes()?;
                in_memory(memory, at).then_some(*sort)?
            }
            _ => return None,
        },
        MemStore => match *sorts {
            [memory, at, value] => {
                value.bytes()?;
                in_memory(memory, at).then_some(memory)?
            }
            _ => return None,
        },
        MemCopy => match *sorts {
            [memory, to, from, length] => {
                let fits = in_memory(memory, to) && to == from && length.bv_width() == pointer_width(to);
                fits.then_some(memory)?
            }
            _ => return None,
        },
        MemFill => match *sorts {
            [memory, to, byte, length] => {
                let fits = in_memory(memory, to) && byte == Sort::bv(8) && length.bv_width() == pointer_width(to);
                fits.then_some(memory)?
            }
            _ => return None,
        },
        Forall(bound) | Exists(bound) => (binds(bound) && *sorts.first()? == bool).then_some(bool)?,
        Lambda(bound) => match (&bound[..], sorts) {
            ([variable], [body]) if variable.is_var() => Sort::array(variable.sort(), *body),
            _ => return None,
        },
    })
}

fn none(sorts: &[Sort], result: Sort) -> Option<Sort> {
    sorts.is_empty().then_some(result)
}

fn exactly(sorts: &[Sort], expected: &[Sort], result: Sort) -> Option<Sort> {
    (sorts == expected).then_some(result)
}

fn single(sorts: &[Sort], fits: impl Fn(Sort) -> bool) -> Option<Sort> {
    match sorts {
        [sort] if fits(*sort) => Some(*sort),
        _ => None,
    }
}

fn pair(sorts: &[Sort], fits: impl Fn(Sort) -> bool) -> Option<Sort> {
    match sorts {
        [x, y] if x == y && fits(*x) => Some(*x),
        _ => None,
    }
}

fn binds(bound: &[Term]) -> bool {
    !bound.is_empty() && bound.iter().all(|variable| variable.is_var())
}

fn supported(format: FloatFormat) -> Option<Sort> {
    format.is_supported().then(|| Sort::float(format))
}

fn valid_width(width: u32) -> Option<()> {
    (1..=crate::MAX_WIDTH).contains(&width).then_some(())
}

fn is_number(sort: Sort) -> bool {
    matches!(sort.kind(), SortKind::Int | SortKind::Real)
}

fn is_bv(sort: Sort) -> bool {
    sort.bv_width().is_some()
}

fn is_float(sort: Sort) -> bool {
    matches!(sort.kind(), SortKind::Float(_))
}

fn pointer_width(sort: Sort) -> Option<u32> {
    match sort.kind() {
        SortKind::Pointer(width) => Some(*width),
        _ => None,
    }
}

fn in_memory(memory: Sort, at: Sort) -> bool {
    matches!((memory.kind(), at.kind()), (SortKind::Memory(m), SortKind::Pointer(p)) if m == p)
}
