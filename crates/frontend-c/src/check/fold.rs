//! Operators on values, with the result computed where the operands are constants and C defines it.
//!
//! What C leaves undefined (signed overflow, division by zero) stays an operation, so that it happens when and if it is
//! executed. [`Checker::evaluate`](super::Checker::evaluate) computes constants that the program must have anyway.

use super::{Checker, float};
use crate::hir::{BinaryOp, CompareOp, ExprId, ExprKind, LogicalOp, UnaryOp};
use crate::types::{Scalar, Ty};
use source::Span;

impl Checker<'_> {
    /// A float constant with its format.
    fn float_constant(&self, value: ExprId) -> Option<(u128, term::FloatFormat)> {
        match (&self.tables[value].kind, self.types.scalar(self.ty(value))) {
            (ExprKind::Float(bits), Some(Scalar::Float(format))) => Some((*bits, format)),
            _ => None,
        }
    }

    pub(super) fn unary_node(&mut self, op: UnaryOp, operand: ExprId, span: Span) -> ExprId {
        let ty = self.ty(operand);
        let folded = if let Some((value, shape)) = self.int_constant(operand) {
            match op {
                UnaryOp::Negate => Some(shape.negate(value)).filter(|outcome| outcome.is_defined).map(|o| o.value),
                UnaryOp::Complement => Some(shape.complement(value)),
            }
            .map(ExprKind::Int)
        } else {
            let negated = self.float_constant(operand).filter(|_| op == UnaryOp::Negate);
            negated.map(|(bits, format)| ExprKind::Float(float::negate(format, bits)))
        };
        self.value(folded.unwrap_or(ExprKind::Unary(op, operand)), ty, span)
    }

    /// The operands have been converted; the result has the type of the left one.
    pub(super) fn binary_node(&mut self, op: BinaryOp, left: ExprId, right: ExprId, span: Span) -> ExprId {
        let ty = self.ty(left);
        let folded = match (self.int_constant(left), self.int_constant(right)) {
            (Some((a, shape)), Some((b, _))) => {
                let outcome = shape.binary(op, a, b).filter(|outcome| outcome.is_defined);
                outcome.map(|outcome| ExprKind::Int(outcome.value))
            }
            _ => match (self.float_constant(left), self.float_constant(right)) {
                // Which NaN an operation gives is open; one that is written down is not.
                (Some((a, format)), Some((b, _))) => {
                    float::binary(format, op, a, b).filter(|bits| *bits != float::nan(format)).map(ExprKind::Float)
                }
                _ => None,
            },
        };
        self.value(folded.unwrap_or(ExprKind::Binary(op, left, right)), ty, span)
    }

    /// The operands have been converted; the result is a truth value.
    pub(super) fn compare_node(&mut self, op: CompareOp, left: ExprId, right: ExprId, span: Span) -> ExprId {
        let folded = match (self.int_constant(left), self.int_constant(right)) {
            (Some((a, shape)), Some((b, _))) => Some(shape.compare(op, a, b)),
            _ => match (self.float_constant(left), self.float_constant(right)) {
                (Some((a, format)), Some((b, _))) => Some(float::compare(format, op, a, b)),
                _ => None,
            },
        };
        let kind = folded.map_or(ExprKind::Compare(op, left, right), |truth| ExprKind::Int(i128::from(truth)));
        self.value(kind, Ty::BOOL, span)
    }

    pub(super) fn not_node(&mut self, operand: ExprId, span: Span) -> ExprId {
        let kind = match self.tables[operand].kind {
            ExprKind::Int(truth) => ExprKind::Int(1 - truth),
            ExprKind::Not(inner) => return inner,
            _ => ExprKind::Not(operand),
        };
        self.value(kind, Ty::BOOL, span)
    }

    pub(super) fn logical_node(&mut self, op: LogicalOp, left: ExprId, right: ExprId, span: Span) -> ExprId {
        match (&self.tables[left].kind, op) {
            (ExprKind::Int(0), LogicalOp::And) => self.int(0, Ty::BOOL, span),
            (ExprKind::Int(_), LogicalOp::And) | (ExprKind::Int(0), LogicalOp::Or) => right,
            (ExprKind::Int(_), LogicalOp::Or) => self.int(1, Ty::BOOL, span),
            _ => self.value(ExprKind::Logical(op, left, right), Ty::BOOL, span),
        }
    }

    /// The operands have the type already, and the condition is a truth value.
    pub(super) fn conditional_node(
        &mut self,
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
        ty: Ty,
        span: Span,
    ) -> ExprId {
        match self.tables[condition].kind {
            ExprKind::Int(0) => otherwise,
            ExprKind::Int(_) => then,
            _ => self.value(ExprKind::Conditional { condition, then, otherwise }, ty, span),
        }
    }
}
