//! `switch` and its labels.

use super::Checker;
use crate::hir::{Case, LabelId, StmtId, StmtKind, Switch};
use crate::syntax::{self, LabelKind};
use crate::types::Ty;
use source::{Diagnostic, Span};

/// A switch whose body is being checked.
pub(super) struct OpenSwitch {
    /// The type of the value, promoted.
    ty: Ty,
    cases: Vec<(Case, Span)>,
    default: Option<(LabelId, Span)>,
}

impl Checker<'_> {
    pub(super) fn switch(&mut self, value: syntax::ExprId, body: syntax::StmtId, span: Span) -> StmtId {
        let value = self.rvalue(value);
        let mut value = self.promote(value);
        let ty = self.ty(value);
        if !self.types.is_integer(ty) && !ty.is_error() {
            let span = self.span(value);
            value = self.fail(span, format!("the value of a switch is an integer, not {}", self.quoted(ty)));
        }
        let ty = self.ty(value);
        if let Some(frame) = &mut self.frame {
            frame.switches.push(OpenSwitch { ty, cases: Vec::new(), default: None });
            frame.breakable += 1;
        }
        let body = self.sub_statement(body);
        let closed = self.frame.as_mut().and_then(|frame| {
            frame.breakable -= 1;
            frame.switches.pop()
        });
        let Some(closed) = closed else { return self.tables.stmt(StmtKind::Block(Vec::new()), span) };
        self.check_cases(&closed);
        let cases = closed.cases.iter().map(|(case, _)| *case).collect();
        let default = closed.default.map(|(label, _)| label);
        self.tables.stmt(StmtKind::Switch(Switch { value, cases, default, body }), span)
    }

    /// The label for `case` or `default`.
    pub(super) fn switch_label(&mut self, kind: &LabelKind, span: Span) -> Option<LabelId> {
        let Some(ty) = self.frame.as_ref().and_then(|frame| frame.switches.last()).map(|switch| switch.ty) else {
            self.error(span, "this label is not in a switch");
            return None;
        };
        let label = self.tables.label(None, span);
        let range = match *kind {
            LabelKind::Case(value) => {
                let value = self.case_value(value, ty)?;
                Some((value, value))
            }
            LabelKind::CaseRange(low, high) => Some((self.case_value(low, ty)?, self.case_value(high, ty)?)),
            LabelKind::Default | LabelKind::Named(..) => None,
        };
        let shape = self.int_shape(ty);
        let switch = self.frame.as_mut()?.switches.last_mut()?;
        match range {
            // An empty range matches nothing.
            Some((low, high)) => {
                if shape.is_some_and(|shape| shape.compare(crate::hir::CompareOp::Le, low, high)) {
                    switch.cases.push((Case { low, high, label }, span));
                }
            }
            None => {
                if let Some((_, first)) = switch.default.replace((label, span)) {
                    let message = "this switch has two default labels";
                    self.report(Diagnostic::error(span, message).secondary(first, "the first one is here"));
                }
            }
        }
        Some(label)
    }

    /// The value of a case, in the type of the switch.
    fn case_value(&mut self, value: syntax::ExprId, ty: Ty) -> Option<i128> {
        let (value, _) = self.constant_int(value, "the value of a case")?;
        Some(self.int_shape(ty)?.wrap(value))
    }

    /// Reports values that belong to two cases.
    fn check_cases(&mut self, switch: &OpenSwitch) {
        let mut cases = switch.cases.clone();
        let is_unsigned = self.int_shape(switch.ty).is_some_and(|shape| !shape.signed);
        let key = |value: i128| if is_unsigned { (value as u128, 0) } else { (0, value) };
        cases.sort_by_key(|(case, _)| key(case.low));
        for pair in cases.windows(2) {
            let [(first, first_span), (second, second_span)] = pair else { continue };
            if key(second.low) <= key(first.high) {
                let (earlier, later) = if first_span.start <= second_span.start {
                    (first_span, second_span)
                } else {
                    (second_span, first_span)
                };
                let message = format!("the value {} has a case already", second.low);
                self.report(Diagnostic::error(*later, message).secondary(*earlier, "the first one is here"));
            }
        }
    }
}
