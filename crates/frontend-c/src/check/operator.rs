//! Binary operators on values, and the conditional operator.

use super::Checker;
use crate::hir::{self, CompareOp, ExprId, ExprKind, InitEntry, Initializer, PlaceKind};
use crate::syntax::{self, BinaryOp};
use crate::types::{Qualifiers, Ty, TypeKind};
use source::Span;

/// The operator as the program writes it.
pub(super) fn spelling(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Lt => "<",
        BinaryOp::Gt => ">",
        BinaryOp::Le => "<=",
        BinaryOp::Ge => ">=",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitXor => "^",
        BinaryOp::BitOr => "|",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
        BinaryOp::Comma => ",",
    }
}

/// What an operator is on converted operands.
enum Class {
    /// On arithmetic operands, possibly on pointers.
    Arithmetic(hir::BinaryOp),
    Integer(hir::BinaryOp),
    Shift(hir::BinaryOp),
    Comparison(CompareOp),
    /// `&&`, `||` and the comma convert their operands themselves.
    Sequence,
}

fn class(op: BinaryOp) -> Class {
    match op {
        BinaryOp::Mul => Class::Arithmetic(hir::BinaryOp::Mul),
        BinaryOp::Div => Class::Arithmetic(hir::BinaryOp::Div),
        BinaryOp::Add => Class::Arithmetic(hir::BinaryOp::Add),
        BinaryOp::Sub => Class::Arithmetic(hir::BinaryOp::Sub),
        BinaryOp::Rem => Class::Integer(hir::BinaryOp::Rem),
        BinaryOp::BitAnd => Class::Integer(hir::BinaryOp::And),
        BinaryOp::BitXor => Class::Integer(hir::BinaryOp::Xor),
        BinaryOp::BitOr => Class::Integer(hir::BinaryOp::Or),
        BinaryOp::Shl => Class::Shift(hir::BinaryOp::Shl),
        BinaryOp::Shr => Class::Shift(hir::BinaryOp::Shr),
        BinaryOp::Lt => Class::Comparison(CompareOp::Lt),
        BinaryOp::Gt => Class::Comparison(CompareOp::Gt),
        BinaryOp::Le => Class::Comparison(CompareOp::Le),
        BinaryOp::Ge => Class::Comparison(CompareOp::Ge),
        BinaryOp::Eq => Class::Comparison(CompareOp::Eq),
        BinaryOp::Ne => Class::Comparison(CompareOp::Ne),
        BinaryOp::And | BinaryOp::Or | BinaryOp::Comma => Class::Sequence,
    }
}

impl Checker<'_> {
    /// `left op right` on values, as C types it.
    pub(super) fn operate(&mut self, op: BinaryOp, left: ExprId, right: ExprId, span: Span) -> ExprId {
        let (left_ty, right_ty) = (self.ty(left), self.ty(right));
        if left_ty.is_error() || right_ty.is_error() {
            return self.wrong(span);
        }
        let class = class(op);
        let types = &self.types;
        if let Some(what) = types.unsupported(left_ty).or(types.unsupported(right_ty)) {
            let ty = match class {
                Class::Comparison(_) => Ty::INT,
                _ if types.unsupported(left_ty).is_some() => left_ty,
                _ => right_ty,
            };
            return self.unsupported(what, ty, span);
        }
        let arithmetic = types.is_arithmetic(left_ty) && types.is_arithmetic(right_ty);
        let integers = types.is_integer(left_ty) && types.is_integer(right_ty);
        let pointers = types.is_pointer(left_ty) || types.is_pointer(right_ty);
        let result = match class {
            Class::Arithmetic(op) if arithmetic => Some(self.arithmetic(op, left, right, span)),
            Class::Arithmetic(hir::BinaryOp::Add) if pointers => self.pointer_sum(left, right, span),
            Class::Arithmetic(hir::BinaryOp::Sub) if pointers => self.pointer_subtraction(left, right, span),
            Class::Integer(op) if integers => Some(self.arithmetic(op, left, right, span)),
            Class::Shift(op) if integers => {
                let (left, right) = (self.promote(left), self.promote(right));
                Some(self.binary_node(op, left, right, span))
            }
            Class::Comparison(op) if arithmetic || pointers => self.comparison(op, left, right, span),
            _ => None,
        };
        result.unwrap_or_else(|| {
            let (left, right) = (self.quoted(left_ty), self.quoted(right_ty));
            self.fail(span, format!("`{}` does not apply to operands of types {left} and {right}", spelling(op)))
        })
    }

    fn arithmetic(&mut self, op: hir::BinaryOp, left: ExprId, right: ExprId, span: Span) -> ExprId {
        let (left, right, _) = self.usual_conversions(left, right);
        self.binary_node(op, left, right, span)
    }

    /// A comparison as an `int`.
    fn comparison(&mut self, op: CompareOp, left: ExprId, right: ExprId, span: Span) -> Option<ExprId> {
        let (left_ty, right_ty) = (self.ty(left), self.ty(right));
        let (left, right) = match (self.types.is_pointer(left_ty), self.types.is_pointer(right_ty)) {
            (true, true) => (left, right),
            (true, false) if self.types.is_integer(right_ty) => (left, self.cast(right, left_ty)),
            (false, true) if self.types.is_integer(left_ty) => (self.cast(left, right_ty), right),
            (false, false) => {
                let (left, right, _) = self.usual_conversions(left, right);
                (left, right)
            }
            _ => return None,
        };
        let truth = self.compare_node(op, left, right, span);
        Some(self.truth_as_int(truth))
    }

    /// `condition ? then : otherwise`, or GNU's `condition ?: otherwise`.
    pub(super) fn conditional(
        &mut self,
        condition: syntax::ExprId,
        then: Option<syntax::ExprId>,
        otherwise: syntax::ExprId,
        span: Span,
    ) -> ExprId {
        let condition = self.rvalue(condition);
        let (condition, then) = match then {
            Some(then) => (condition, self.rvalue(then)),
            None => self.kept_value(condition),
        };
        let truth = self.truth(condition);
        let otherwise = self.rvalue(otherwise);
        let (then_ty, otherwise_ty) = (self.ty(then), self.ty(otherwise));
        if self.ty(truth).is_error() || then_ty.is_error() || otherwise_ty.is_error() {
            return self.wrong(span);
        }
        let Some(ty) = self.conditional_type(then, otherwise) else {
            let (then, otherwise) = (self.quoted(then_ty), self.quoted(otherwise_ty));
            return self.fail(span, format!("the alternatives have incompatible types {then} and {otherwise}"));
        };
        let (then, otherwise) = if self.types.is_record(ty) {
            (then, otherwise)
        } else if self.types.is_arithmetic(ty) {
            // Promotion before conversion sees bit-fields.
            let (then, otherwise) = (self.promote(then), self.promote(otherwise));
            (self.cast(then, ty), self.cast(otherwise, ty))
        } else {
            (self.cast(then, ty), self.cast(otherwise, ty))
        };
        self.conditional_node(truth, then, otherwise, ty, span)
    }

    /// A value to be used twice: what computes it and keeps it in a variable, and what reads it there.
    fn kept_value(&mut self, value: ExprId) -> (ExprId, ExprId) {
        let (ty, span) = (self.ty(value), self.span(value));
        if !self.types.is_scalar(ty) || matches!(self.tables[value].kind, ExprKind::Int(_) | ExprKind::Null) {
            return (value, value);
        }
        let value = self.promote(value);
        let ty = self.types.plain(self.ty(value));
        let local = self.tables.local(None, ty, span);
        let place = |checker: &mut Self| checker.tables.place(PlaceKind::Local(local), ty, span);
        let target = place(self);
        let stored = self.value(ExprKind::Assign { place: target, value }, ty, span);
        let source = place(self);
        (stored, self.value(ExprKind::Load(source), ty, span))
    }

    fn conditional_type(&mut self, then: ExprId, otherwise: ExprId) -> Option<Ty> {
        let (a, b) = (self.ty(then), self.ty(otherwise));
        if self.types.is_arithmetic(a) && self.types.is_arithmetic(b) {
            let (then, otherwise) = (self.promote(then), self.promote(otherwise));
            return Some(self.types.usual_arithmetic(self.ty(then), self.ty(otherwise)));
        }
        if a.is_void() || b.is_void() {
            return Some(Ty::VOID);
        }
        if self.types.unsupported(a).is_some() {
            return (!self.types.is_record(b)).then_some(a);
        }
        if self.types.unsupported(b).is_some() {
            return (!self.types.is_record(a)).then_some(b);
        }
        match (self.types.kind(a).clone(), self.types.kind(b).clone()) {
            (TypeKind::Record(x), TypeKind::Record(y)) => (x == y).then_some(a),
            (TypeKind::Pointer(x), TypeKind::Pointer(y)) => {
                let (then_null, otherwise_null) = (self.is_null_constant(then), self.is_null_constant(otherwise));
                Some(match (then_null, otherwise_null) {
                    (true, false) => b,
                    (false, true) => a,
                    _ => self.common_pointer(x, y),
                })
            }
            (TypeKind::Pointer(_), _) if self.types.is_integer(b) => Some(a),
            (_, TypeKind::Pointer(_)) if self.types.is_integer(a) => Some(b),
            _ => None,
        }
    }

    /// The type of a pointer that may point to what either of two pointers may.
    fn common_pointer(&mut self, x: Ty, y: Ty) -> Ty {
        let target = if self.types.compatible_unqualified(x, y) {
            self.types.composite(x.unqualified(), y.unqualified())
        } else if x.is_void() || y.is_void() {
            Ty::VOID
        } else {
            // gcc only warns, and knows nothing about the target any more.
            return self.types.pointer(Ty::VOID);
        };
        let qualifiers = x.qualifiers() | y.qualifiers();
        let target = self.types.qualified(target, qualifiers.without(Qualifiers::RESTRICT));
        self.types.pointer(target)
    }

    /// Whether the value is a null pointer constant: 0, or that as a `void *`.
    pub(super) fn is_null_constant(&self, value: ExprId) -> bool {
        match self.tables[value].kind {
            ExprKind::Int(0) => true,
            ExprKind::Null => self.types.pointee(self.ty(value)) == Some(Ty::VOID),
            _ => false,
        }
    }

    /// A value of record type as a place, so that its members can be reached.
    pub(super) fn materialise(&mut self, value: ExprId) -> hir::PlaceId {
        let (ty, span) = (self.ty(value), self.span(value));
        let local = self.tables.temporary(ty, span);
        let entry = InitEntry { offset: 0, bits: None, ty, value };
        let init = Initializer { zero: false, entries: vec![entry] };
        self.tables.place(PlaceKind::Initialised { local, init }, ty, span)
    }
}
