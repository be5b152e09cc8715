//! Built-in questions about floating point numbers, and special numbers.

use super::super::{Checker, float};
use crate::hir::{Builtin, CompareOp, ExprId, ExprKind};
use crate::types::{FloatKind, Scalar, Ty};
use source::Span;

impl Checker<'_> {
    pub(super) fn float_builtin(&mut self, name: &str, values: &[ExprId], span: Span) -> Option<ExprId> {
        if let Some(constant) = self.special_number(name, values, span) {
            return Some(constant);
        }
        if name == "fpclassify" {
            return Some(self.classify(values, span));
        }
        if let Some(builtin) = unary(name) {
            let [operand] = *values else { return Some(self.wrong_count(1, values, span)) };
            let operand = self.float_operand(operand);
            if self.ty(operand).is_error() {
                return Some(operand);
            }
            let ty = if builtin == Builtin::InfinitySign { Ty::INT } else { Ty::BOOL };
            let answer = self.value(ExprKind::Builtin(builtin, vec![operand]), ty, span);
            return Some(self.cast(answer, Ty::INT));
        }
        let comparison = comparison(name)?;
        let [left, right] = *values else { return Some(self.wrong_count(2, values, span)) };
        let (left, right) = (self.float_operand(left), self.float_operand(right));
        if self.ty(left).is_error() || self.ty(right).is_error() {
            return Some(self.wrong(span));
        }
        let (left, right, _) = self.usual_conversions(left, right);
        let truth = match comparison {
            Ok(op) => self.compare_node(op, left, right, span),
            Err(builtin) => self.value(ExprKind::Builtin(builtin, vec![left, right]), Ty::BOOL, span),
        };
        Some(self.truth_as_int(truth))
    }

    fn wrong_count(&mut self, expected: usize, values: &[ExprId], span: Span) -> ExprId {
        self.fail(span, format!("{expected} arguments are expected, but {} are given", values.len()))
    }

    /// The value as a float; integers become `double`.
    fn float_operand(&mut self, value: ExprId) -> ExprId {
        let ty = self.ty(value);
        if self.types.is_float(ty) {
            return value;
        }
        if self.types.is_arithmetic(ty) || self.types.unsupported(ty).is_some() {
            return self.cast(value, Ty::DOUBLE);
        }
        let span = self.span(value);
        self.fail(span, format!("a floating point number is expected, not a value of type {}", self.quoted(ty)))
    }

    /// `inf`, `huge_val` and `nan` with their suffixes.
    fn special_number(&mut self, name: &str, values: &[ExprId], span: Span) -> Option<ExprId> {
        let (base, kind) = match name.strip_prefix("huge_val").or(name.strip_prefix("inf")) {
            Some(suffix) => ("inf", float_suffix(suffix)?),
            None => ("nan", float_suffix(name.strip_prefix("nan")?)?),
        };
        let ty = Ty::float(kind);
        let Some(Scalar::Float(format)) = self.types.scalar(ty) else { return None };
        let bits = match (base, values) {
            ("inf", []) => float::infinity(format),
            ("nan", [text]) if self.is_empty_string(*text) => float::nan(format),
            ("nan", [_]) => return Some(self.unsupported("a NaN with a payload", ty, span)),
            _ => return None,
        };
        Some(self.value(ExprKind::Float(bits), ty, span))
    }

    fn is_empty_string(&self, value: ExprId) -> bool {
        let ExprKind::AddressOf(place) = self.tables[value].kind else { return false };
        match self.tables[place].kind {
            crate::hir::PlaceKind::String(id) => self.strings[id.index()].bytes == [0],
            _ => false,
        }
    }

    fn classify(&mut self, values: &[ExprId], span: Span) -> ExprId {
        let [classes @ .., value] = values else { return self.wrong_count(6, values, span) };
        if classes.len() != 5 {
            return self.wrong_count(6, values, span);
        }
        let mut arguments: Vec<ExprId> = classes.iter().map(|class| self.cast(*class, Ty::INT)).collect();
        let operand = self.float_operand(*value);
        if self.ty(operand).is_error() {
            return operand;
        }
        arguments.push(operand);
        self.value(ExprKind::Builtin(Builtin::Classify, arguments), Ty::INT, span)
    }
}

fn float_suffix(suffix: &str) -> Option<FloatKind> {
    Some(match suffix {
        "" => FloatKind::Double,
        "f" => FloatKind::Float,
        "l" => FloatKind::LongDouble,
        "f16" => FloatKind::Float16,
        "f32" => FloatKind::Float32,
        "f64" => FloatKind::Float64,
        "f128" | "q" => FloatKind::Float128,
        "f32x" => FloatKind::Float32x,
        "f64x" => FloatKind::Float64x,
        _ => return None,
    })
}

fn unary(name: &str) -> Option<Builtin> {
    Some(match name {
        "isnan" | "isnanf" | "isnanl" => Builtin::IsNan,
        "isinf" | "isinff" | "isinfl" => Builtin::IsInfinite,
        "isinf_sign" => Builtin::InfinitySign,
        "isfinite" | "finite" | "finitef" | "finitel" => Builtin::IsFinite,
        "isnormal" => Builtin::IsNormal,
        "signbit" | "signbitf" | "signbitl" => Builtin::SignBit,
        _ => return None,
    })
}

/// A comparison that C has as an operator, or one of its own.
fn comparison(name: &str) -> Option<Result<CompareOp, Builtin>> {
    Some(match name {
        "isgreater" => Ok(CompareOp::Gt),
        "isgreaterequal" => Ok(CompareOp::Ge),
        "isless" => Ok(CompareOp::Lt),
        "islessequal" => Ok(CompareOp::Le),
        "islessgreater" => Err(Builtin::IsLessOrGreater),
        "isunordered" => Err(Builtin::IsUnordered),
        _ => return None,
    })
}
