//! Built-in operations on the bits of integers, and arithmetic that tells whether it overflows.

use super::super::Checker;
use crate::hir::{Builtin, ExprId, ExprKind, OverflowOp};
use crate::types::{IntKind, Ty};
use ir::DataModel;
use source::Span;

/// The operation, and the type of its operand as its suffix says it.
fn bit_operation(name: &str) -> Option<(Builtin, IntKind)> {
    let (base, length) = match name {
        _ if name.ends_with("ll") && name != "ll" => (&name[..name.len() - 2], 2),
        _ if name.ends_with('l') => (&name[..name.len() - 1], 1),
        _ if name.ends_with("imax") => (&name[..name.len() - 4], 2),
        _ => (name, 0),
    };
    let (builtin, is_signed) = match base {
        "clz" => (Builtin::LeadingZeros, false),
        "ctz" => (Builtin::TrailingZeros, false),
        "popcount" => (Builtin::PopCount, false),
        "parity" => (Builtin::Parity, false),
        "ffs" => (Builtin::FindFirstSet, true),
        "clrsb" => (Builtin::RedundantSignBits, true),
        _ => return None,
    };
    let signed = [IntKind::Int, IntKind::Long, IntKind::LongLong][length];
    Some((builtin, if is_signed { signed } else { signed.to_unsigned() }))
}

fn byte_swap(name: &str, model: DataModel) -> Option<IntKind> {
    match name {
        "bswap16" => Some(IntKind::UnsignedShort),
        "bswap32" => Some(IntKind::UnsignedInt),
        "bswap64" if model == DataModel::Lp64 => Some(IntKind::UnsignedLong),
        "bswap64" => Some(IntKind::UnsignedLongLong),
        "bswap128" => Some(IntKind::UnsignedInt128),
        _ => None,
    }
}

/// The operation, and the type of its operands if the name says it.
fn overflow(name: &str) -> Option<(OverflowOp, Option<IntKind>)> {
    let typed = |rest: &str, signed: bool| {
        let (op, length) = ["add", "sub", "mul"]
            .iter()
            .zip([OverflowOp::Add, OverflowOp::Sub, OverflowOp::Mul])
            .find_map(|(word, op)| rest.strip_prefix(word).map(|length| (op, length)))?;
        let kind = match length {
            "_overflow" => IntKind::Int,
            "l_overflow" => IntKind::Long,
            "ll_overflow" => IntKind::LongLong,
            _ => return None,
        };
        Some((op, Some(if signed { kind } else { kind.to_unsigned() })))
    };
    match name {
        "add_overflow" | "add_overflow_p" => Some((OverflowOp::Add, None)),
        "sub_overflow" | "sub_overflow_p" => Some((OverflowOp::Sub, None)),
        "mul_overflow" | "mul_overflow_p" => Some((OverflowOp::Mul, None)),
        _ => match name.strip_prefix('s').and_then(|rest| typed(rest, true)) {
            Some(found) => Some(found),
            None => name.strip_prefix('u').and_then(|rest| typed(rest, false)),
        },
    }
}

impl Checker<'_> {
    pub(super) fn bit_builtin(&mut self, name: &str, values: &[ExprId], span: Span) -> Option<ExprId> {
        if let Some((builtin, kind)) = bit_operation(name) {
            let operand = self.integer_argument(values, Some(kind), span);
            return Some(self.value(ExprKind::Builtin(builtin, vec![operand]), Ty::INT, span));
        }
        if let Some(kind) = byte_swap(name, self.types.model()) {
            let operand = self.integer_argument(values, Some(kind), span);
            return Some(self.value(ExprKind::Builtin(Builtin::ByteSwap, vec![operand]), Ty::int(kind), span));
        }
        let (op, kind) = overflow(name)?;
        let [left, right, target] = *values else {
            return Some(
                self.fail(span, format!("`__builtin_{name}` takes 3 arguments, but {} are given", values.len())),
            );
        };
        let left = self.integer_argument(&[left], kind, span);
        let right = self.integer_argument(&[right], kind, span);
        let builtin = if name.ends_with("_p") {
            Builtin::OverflowTest(op)
        } else {
            let integer = self.types.pointee(self.ty(target)).filter(|ty| self.types.is_integer(*ty));
            if integer.is_none() {
                return Some(self.fail(self.span(target), "the last argument must be a pointer to an integer"));
            }
            Builtin::Overflow(op)
        };
        let result = self.value(ExprKind::Builtin(builtin, vec![left, right, target]), Ty::BOOL, span);
        Some(result)
    }

    /// The only argument as an integer, of this type if there is one. Stands for the value after an error.
    fn integer_argument(&mut self, values: &[ExprId], kind: Option<IntKind>, span: Span) -> ExprId {
        let [value] = *values else {
            return self.fail(span, format!("one argument is expected, but {} are given", values.len()));
        };
        let ty = self.ty(value);
        if !self.types.is_arithmetic(ty) || (kind.is_none() && !self.types.is_integer(ty)) {
            let span = self.span(value);
            return self.fail(span, format!("an integer is expected, not a value of type {}", self.quoted(ty)));
        }
        match kind {
            Some(kind) => self.cast(value, Ty::int(kind)),
            None => value,
        }
    }
}
