//! Which operands clash.

use super::foreign::STATES;
use super::frame::Frame;
use super::{Access, Base, Class, Effects, Finding};
use crate::hir::{Callee, ExprId, ExprKind, InitEntry, Node, PlaceId, PlaceKind, StmtKind};
use crate::syntax::deep;
use source::Span;
use std::rc::Rc;

impl Frame<'_, '_, '_> {
    /// Looks at the operands of a node.
    pub fn look_at(&mut self, node: Node, findings: &mut Vec<Finding>) {
        let body = self.body;
        match node {
            Node::Expr(expr) => self.look_at_expr(expr, findings),
            Node::Place(place) => match &body[place].kind {
                PlaceKind::Element { array, index, .. } => {
                    let operands = [Rc::new(self.place_effects(*array)), self.effects(*index)];
                    self.compare(&operands, body[place].span, findings);
                }
                PlaceKind::Initialised { init, .. } => self.look_at_entries(&init.entries, body[place].span, findings),
                _ => {}
            },
            Node::Stmt(stmt) => {
                if let StmtKind::Declare { init: Some(init), .. } = &body[stmt].kind {
                    self.look_at_entries(&init.entries, body[stmt].span, findings);
                }
            }
        }
    }

    fn look_at_entries(&mut self, entries: &[InitEntry], span: Span, findings: &mut Vec<Finding>) {
        if entries.len() > 1 {
            let operands: Vec<Rc<Effects>> = entries.iter().map(|entry| self.effects(entry.value)).collect();
            self.compare(&operands, span, findings);
        }
    }

    fn look_at_expr(&mut self, expr: ExprId, findings: &mut Vec<Finding>) {
        let node = &self.body[expr];
        let operands: Vec<Rc<Effects>> = match &node.kind {
            ExprKind::Binary(_, left, right)
            | ExprKind::Compare(_, left, right)
            | ExprKind::PointerDifference { left, right, .. }
            | ExprKind::PointerOffset { pointer: left, index: right, .. } => {
                vec![self.effects(*left), self.effects(*right)]
            }
            ExprKind::Builtin(_, arguments) => arguments.iter().map(|argument| self.effects(*argument)).collect(),
            ExprKind::Call { callee, arguments } => {
                let pointer = if let Callee::Indirect { pointer, .. } = callee { Some(*pointer) } else { None };
                pointer.into_iter().chain(arguments.iter().copied()).map(|operand| self.effects(operand)).collect()
            }
            ExprKind::Assign { place, value } => {
                self.compare_with_target(*place, *value, node.span, findings);
                vec![Rc::new(self.place_effects(*place)), self.effects(*value)]
            }
            ExprKind::Update { place, value, .. } => {
                self.compare_with_target(*place, *value, node.span, findings);
                let mut target = self.place_effects(*place);
                self.access(*place, false, &mut target);
                vec![Rc::new(target), self.effects(*value)]
            }
            _ => return,
        };
        self.compare(&operands, node.span, findings);
    }

    /// Compares all operands with each other.
    fn compare(&self, operands: &[Rc<Effects>], span: Span, findings: &mut Vec<Finding>) {
        if operands.iter().all(|operand| operand.are_silent()) {
            return;
        }
        for (n, one) in operands.iter().enumerate() {
            for other in &operands[n + 1..] {
                if !(one.are_silent() && other.are_silent())
                    && let Some((why, is_undefined)) = self.clash(one, other)
                {
                    findings.push(Finding { span, why, is_undefined });
                    return;
                }
            }
        }
    }

    /// How two evaluations can depend on their order, and whether that makes them undefined.
    fn clash(&self, one: &Effects, other: &Effects) -> Option<(String, bool)> {
        let mut found: Option<(String, bool)> = None;
        for a in &one.accesses {
            for b in other.accesses.iter().filter(|b| self.analysis.conflict(self.body, a, b)) {
                let is_undefined = a.is_direct && b.is_direct && a.is_exact && b.is_exact && a.base == b.base;
                if found.as_ref().is_none_or(|(_, known)| is_undefined && !known) {
                    let does = if a.writes && b.writes { "both write" } else { "one writes what another reads:" };
                    let named = self.named(a).or_else(|| self.named(b)).unwrap_or_else(|| "memory".to_string());
                    found = Some((format!("{does} {named}"), is_undefined));
                }
            }
        }
        let ends = one.may_stop && other.may_fail || one.may_fail && other.may_stop;
        let ends = ends.then_some("one may end the execution, another violate an assertion");
        let is_seen = one.synchronises && other.synchronises;
        let why = ends.or(is_seen.then_some("both synchronise with other threads"));
        found.or_else(|| why.map(|why| (why.to_string(), false)))
    }

    /// The assignment itself writes, and what its value writes on the way need not come before (C11 6.5p2).
    fn compare_with_target(&self, place: PlaceId, value: ExprId, span: Span, findings: &mut Vec<Finding>) {
        let mut target = Effects::default();
        self.access(place, true, &mut target);
        let mut pending = Effects::default();
        self.pending_writes(value, &mut pending);
        let is_same = |a: &&Access| {
            a.is_exact && pending.accesses.iter().any(|b| b.is_exact && b.base == a.base && b.class == a.class)
        };
        if let Some(access) = target.accesses.iter().find(is_same)
            && let Some(name) = self.named(access)
        {
            findings.push(Finding { span, why: format!("both write {name}"), is_undefined: true });
        }
    }

    /// The writes of an evaluation that no sequence point follows in it.
    fn pending_writes(&self, expr: ExprId, effects: &mut Effects) {
        match &self.body[expr].kind {
            ExprKind::Assign { place, value } | ExprKind::Update { place, value, .. } => {
                self.access(*place, true, effects);
                deep(|| self.pending_writes(*value, effects));
            }
            ExprKind::Comma(_, last) | ExprKind::Logical(_, _, last) => deep(|| self.pending_writes(*last, effects)),
            ExprKind::Conditional { then, otherwise, .. } => {
                deep(|| self.pending_writes(*then, effects));
                deep(|| self.pending_writes(*otherwise, effects));
            }
            ExprKind::Call { .. } | ExprKind::Statements { .. } | ExprKind::Builtin(..) | ExprKind::VaList(_) => {}
            _ => {
                let mut children = Vec::new();
                self.body.push_children(Node::Expr(expr), &mut children);
                while let Some(child) = children.pop() {
                    match child {
                        Node::Expr(child) => deep(|| self.pending_writes(child, effects)),
                        child => self.body.push_children(child, &mut children),
                    }
                }
            }
        }
    }

    /// What an access is to, as the user calls it.
    fn named(&self, access: &Access) -> Option<String> {
        match access.base {
            Base::Local(local) => self.body[local].name.map(|name| format!("`{name}`")),
            Base::Global(global) => {
                let name = self.analysis.link.units[global.unit][global.id].name;
                Some(format!("`{name}`"))
            }
            Base::State(state) => Some(STATES[state].0.to_string()),
            _ => match access.class {
                Class::Member(_, name, _) => Some(format!("the member `{name}`")),
                _ => None,
            },
        }
    }
}
