//! Whether control can come to the end of a body.

use super::{Body, ExprKind, StmtId, StmtKind};
use crate::syntax::deep;

impl Body {
    /// Whether control may leave the body without a value: at its end, or by a `return` without one. May say so in vain.
    pub fn may_end_without_value(&self) -> bool {
        self.stmts.iter().any(|stmt| matches!(stmt.kind, StmtKind::Return(None))) || self.may_complete(self.root)
    }

    /// Whether control may come to the end of a statement.
    fn may_complete(&self, stmt: StmtId) -> bool {
        match &self[stmt].kind {
            StmtKind::Block(list) => list.last().is_none_or(|last| deep(|| self.may_complete(*last))),
            StmtKind::If { then, otherwise: Some(otherwise), .. } => {
                deep(|| self.may_complete(*then) || self.may_complete(*otherwise))
            }
            StmtKind::Loop(this) => {
                let is_endless = this.condition.is_none_or(|condition| {
                    let ExprKind::Int(n) = self[condition].kind else { return false };
                    n != 0
                });
                !is_endless || self.stmts.iter().any(|stmt| matches!(stmt.kind, StmtKind::Break))
            }
            StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Return(_) => false,
            _ => true,
        }
    }
}
