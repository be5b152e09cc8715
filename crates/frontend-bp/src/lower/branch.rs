//! Statements with branches.

use super::Lowering;
use super::body::Body;
use crate::syntax::{Expr, ExprKind, Statement, deep};
use ir::{LocId, Op};
use source::Place;
use term::build;

impl<'a> Lowering<'a> {
    /// Control goes to a new location where the condition holds, and to another where it does not.
    fn branch(&mut self, body: &mut Body<'a>, condition: &Expr, place: Option<Place>) -> (LocId, LocId) {
        let (yes, no) = if matches!(condition.kind, ExprKind::Choice) {
            (Op::skip(), Op::skip())
        } else {
            let condition = self.evaluate(body, condition, place);
            (Op::Assume(condition), Op::Assume(build::not(condition)))
        };
        let targets = (body.builder.location(place), body.builder.location(place));
        body.lead(yes, targets.0, place);
        body.lead(no, targets.1, place);
        body.stop();
        targets
    }

    pub fn conditional(
        &mut self,
        body: &mut Body<'a>,
        branches: &'a [(Expr, Vec<Statement>)],
        otherwise: &'a [Statement],
        place: Option<Place>,
    ) {
        let end = body.builder.location(place);
        for (condition, block) in branches {
            let at = self.place(condition.span);
            let (yes, no) = self.branch(body, condition, at);
            body.go_on_at(yes);
            deep(|| self.block(body, block));
            body.jump(end, place);
            body.go_on_at(no);
            body.next_statement();
        }
        deep(|| self.block(body, otherwise));
        body.jump(end, place);
        body.go_on_at(end);
    }

    pub fn repeat(&mut self, body: &mut Body<'a>, condition: &'a Expr, block: &'a [Statement], place: Option<Place>) {
        let head = body.builder.location(place);
        body.jump(head, place);
        body.go_on_at(head);
        let at = self.place(condition.span);
        let (inside, after) = self.branch(body, condition, at);
        body.go_on_at(inside);
        deep(|| self.block(body, block));
        body.jump(head, place);
        body.go_on_at(after);
    }
}
