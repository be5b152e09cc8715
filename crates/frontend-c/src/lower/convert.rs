//! Conversions between scalar types.

use super::storage::value_sort;
use super::value::Value;
use super::writer::Writer;
use crate::hir::{CastKind, ExprId};
use crate::types::{Scalar, Ty};
use term::{FloatFormat, Rounding, Sort, SortKind, Term, build};

/// An integer in another width: cut off, or extended by its sign.
pub(super) fn resize(x: Term, width: u32, signed: bool) -> Term {
    match x.sort().bv_width() {
        Some(own) if own > width => build::extract(width - 1, 0, x),
        Some(_) if signed => build::sign_extend(width, x),
        Some(_) => build::zero_extend(width, x),
        None => x,
    }
}

/// A truth value as an integer.
pub(super) fn bool_to_int(x: Term, width: u32) -> Term {
    build::ite(x, build::bv(width, 1), build::bv(width, 0))
}

impl Writer<'_, '_> {
    /// The value of a cast.
    pub fn cast(&mut self, kind: CastKind, operand: ExprId, to: Ty) -> Value {
        if kind == CastKind::ToVoid {
            self.effect(operand);
            return Value::Void;
        }
        let x = self.scalar(operand);
        let (ty, from) = (to, self.body[operand].ty);
        let (Some(from), Some(to)) = (self.types.scalar(from), self.types.scalar(to)) else {
            return self.unsupported_value("a conversion of an unexpected type", to);
        };
        if kind == CastKind::IntToPointer
            && let (Some(target), Some(address)) = (self.types.pointee(ty), x.as_bv())
        {
            self.context.constant_address(address.unsigned(), target, self.types);
        }
        Value::Scalar(self.convert(kind, x, from, to))
    }

    fn convert(&mut self, kind: CastKind, x: Term, from: Scalar, to: Scalar) -> Term {
        match (kind, from, to) {
            (CastKind::IntToInt, Scalar::Int { signed, .. }, Scalar::Int { width, .. }) => resize(x, width, signed),
            (CastKind::BoolToInt, Scalar::Bool, Scalar::Int { width, .. }) => bool_to_int(x, width),
            (CastKind::IntToBool, Scalar::Int { width, .. }, Scalar::Bool) => {
                let zero = build::bv(width, 0);
                build::not(self.equal_addresses(x, zero).unwrap_or_else(|| build::eq(x, zero)))
            }
            (CastKind::FloatToBool, Scalar::Float(_), Scalar::Bool) => build::not(build::fp_is_zero(x)),
            (CastKind::PointerToBool, Scalar::Pointer, Scalar::Bool) => build::ne(x, build::null(self.width())),
            (CastKind::IntToFloat, Scalar::Int { signed, .. }, Scalar::Float(format)) => {
                self.rounded(|by| build::bv_to_fp(format, signed, by, x))
            }
            (CastKind::FloatToInt, Scalar::Float(format), Scalar::Int { width, signed }) => {
                float_to_int(x, format, width, signed)
            }
            (CastKind::FloatToFloat, Scalar::Float(_), Scalar::Float(format)) => {
                self.rounded(|by| build::fp_to_fp(format, by, x))
            }
            (CastKind::PointerToInt, Scalar::Pointer, Scalar::Int { width, signed }) => {
                let address = self.pointer_to_int(x);
                resize(address, width, signed)
            }
            (CastKind::IntToPointer, Scalar::Int { signed, .. }, Scalar::Pointer) => {
                self.int_to_pointer(resize(x, self.width(), signed))
            }
            (CastKind::PointerToPointer, Scalar::Pointer, Scalar::Pointer) => x,
            _ => {
                self.unsupported("a conversion of an unexpected type");
                self.code.arbitrary(value_sort(to, self.context.model))
            }
        }
    }

    /// A value passed where another type is expected, as the machine passes it; `None` where that makes no sense.
    pub fn reinterpret(&mut self, value: Term, signed: bool, to: Sort) -> Option<Term> {
        if value.sort() == to {
            return Some(value);
        }
        match (value.sort().kind(), to.kind()) {
            (SortKind::Bool, SortKind::BitVec(width)) => Some(bool_to_int(value, *width)),
            (SortKind::BitVec(_), SortKind::BitVec(width)) => Some(resize(value, *width, signed)),
            (SortKind::Pointer(own), SortKind::BitVec(width)) if own == width => Some(self.pointer_to_int(value)),
            (SortKind::BitVec(own), SortKind::Pointer(width)) if own <= width => {
                Some(self.int_to_pointer(resize(value, *width, signed)))
            }
            (SortKind::BitVec(width), SortKind::Bool) => Some(build::ne(value, build::bv(*width, 0))),
            _ => None,
        }
    }
}

/// Towards zero. What does not fit comes out as x86 computes it.
pub(super) fn float_to_int(x: Term, format: FloatFormat, width: u32, signed: bool) -> Term {
    let exact = |width: u32, signed: bool, x: Term| build::fp_to_bv(width, signed, Rounding::TowardZero, x);
    match (width, signed) {
        // The processor converts to signed numbers of 32 and 64 bits.
        (..32, _) => resize(exact(32, true, x), width, true),
        (32, true) | (64, true) => exact(width, true, x),
        (32, false) => resize(exact(64, true, x), 32, true),
        (64, false) => {
            let half = build::bv_to_fp(format, false, Rounding::NearestEven, build::bv(64, 1 << 63));
            // The difference is exact.
            let high =
                build::bv_xor(exact(64, true, build::fp_sub(Rounding::TowardZero, x, half)), build::bv(64, 1 << 63));
            build::ite(build::fp_lt(x, half), exact(64, true, x), high)
        }
        _ => exact(width, signed, x),
    }
}
