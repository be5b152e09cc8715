//! Conditions: going one way or the other.

use super::writer::Writer;
use crate::hir::{CastKind, ExprId, ExprKind, LogicalOp};
use crate::syntax::deep;
use ir::LocId;

impl Writer<'_, '_> {
    /// Evaluates a condition and goes to one of two locations. What is written next is unreachable.
    ///
    /// What a term says all about becomes one; otherwise `&&`, `||` and `?:` become ways.
    pub fn branch(&mut self, condition: ExprId, then: LocId, otherwise: LocId) {
        deep(|| self.branch_on(condition, then, otherwise));
    }

    fn branch_on(&mut self, id: ExprId, then: LocId, otherwise: LocId) {
        match &self.body[id].kind {
            ExprKind::Not(operand) => self.branch(*operand, otherwise, then),
            ExprKind::Cast(CastKind::IntToBool, operand) => match self.body[*operand].kind {
                ExprKind::Cast(CastKind::BoolToInt, truth) => self.branch(truth, then, otherwise),
                _ => self.branch_by_value(id, then, otherwise),
            },
            ExprKind::Comma(first, second) => {
                self.effect(*first);
                self.branch(*second, then, otherwise);
            }
            ExprKind::Logical(op, left, right) if !self.is_simple(*right) => {
                let middle = self.code.location();
                match op {
                    LogicalOp::And => self.branch(*left, middle, otherwise),
                    LogicalOp::Or => self.branch(*left, then, middle),
                }
                self.code.continue_at(middle);
                self.branch(*right, then, otherwise);
            }
            ExprKind::Conditional { condition, then: first, otherwise: second }
                if !(self.is_simple(*first) && self.is_simple(*second)) =>
            {
                let (yes, no) = (self.code.location(), self.code.location());
                self.branch(*condition, yes, no);
                for (start, value) in [(yes, first), (no, second)] {
                    self.code.continue_at(start);
                    self.branch(*value, then, otherwise);
                }
            }
            _ => self.branch_by_value(id, then, otherwise),
        }
    }

    fn branch_by_value(&mut self, condition: ExprId, then: LocId, otherwise: LocId) {
        let value = self.truth(condition);
        self.set_span(self.body[condition].span);
        self.code.branch(value, then, otherwise);
    }
}
