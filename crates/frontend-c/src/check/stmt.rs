//! Statements.

use super::Checker;
use super::convert::Purpose;
use super::expr::Operand;
use crate::hir::{ExprId, ExprKind, LabelId, Loop, StmtId, StmtKind};
use crate::syntax::{self, Asm, For, IfArm, LabelKind, deep};
use crate::types::Ty;
use source::Span;

impl Checker<'_> {
    /// Checks a statement and adds what it does to `out`.
    pub(super) fn stmt(&mut self, id: syntax::StmtId, out: &mut Vec<StmtId>) {
        deep(|| self.stmt_inner(id, out));
    }

    fn stmt_inner(&mut self, id: syntax::StmtId, out: &mut Vec<StmtId>) {
        let unit = self.unit;
        let span = unit[id].span;
        let mark = self.tables.mark();
        let made = match &unit[id].kind {
            syntax::StmtKind::Empty => return,
            syntax::StmtKind::Declaration(declaration) => return self.declaration(declaration, out),
            syntax::StmtKind::StaticAssert(assertion) => return self.static_assert(assertion),
            syntax::StmtKind::LocalLabels(names) => return names.iter().for_each(|name| self.declare_label(*name)),
            syntax::StmtKind::Asm(asm) => return self.asm(asm, out),
            syntax::StmtKind::Labelled(labels, statement) => {
                self.labels(labels, out);
                return self.stmt(*statement, out);
            }
            syntax::StmtKind::Expr(expr) => StmtKind::Expr(self.effect(*expr)),
            syntax::StmtKind::Block(statements) => {
                let mut inner = Vec::new();
                self.enter_block();
                statements.iter().for_each(|statement| self.stmt(*statement, &mut inner));
                self.leave_block();
                StmtKind::Block(inner)
            }
            syntax::StmtKind::If(arms, otherwise) => {
                let made = self.if_chain(arms, *otherwise, span);
                return out.extend(made.map(|made| self.as_block(made, mark, span)));
            }
            syntax::StmtKind::Switch(value, body) => {
                let made = self.switch(*value, *body, span);
                return out.push(self.as_block(made, mark, span));
            }
            syntax::StmtKind::While(condition, body) => {
                let condition = Some(self.condition(*condition));
                let body = self.loop_body(*body);
                StmtKind::Loop(Loop { condition, tests_first: true, body, step: None })
            }
            syntax::StmtKind::DoWhile(body, condition) => {
                let body = self.loop_body(*body);
                let condition = Some(self.condition(*condition));
                StmtKind::Loop(Loop { condition, tests_first: false, body, step: None })
            }
            syntax::StmtKind::For(parts) => return self.for_loop(parts, span, out),
            syntax::StmtKind::Goto(name) => match self.label(name.symbol, name.span) {
                Some(label) => StmtKind::Goto(label),
                None => return,
            },
            syntax::StmtKind::GotoComputed(target) => {
                self.rvalue(*target);
                StmtKind::Unsupported("a computed goto".into())
            }
            syntax::StmtKind::Break => {
                if self.frame.as_ref().is_none_or(|frame| frame.breakable == 0) {
                    self.error(span, "`break` is not in a loop or switch");
                }
                StmtKind::Break
            }
            syntax::StmtKind::Continue => {
                if self.frame.as_ref().is_none_or(|frame| frame.continuable == 0) {
                    self.error(span, "`continue` is not in a loop");
                }
                StmtKind::Continue
            }
            syntax::StmtKind::Return(value) => return self.return_stmt(*value, span, out),
        };
        let is_loop = matches!(made, StmtKind::Loop(_));
        let made = self.tables.stmt(made, span);
        out.push(if is_loop { self.as_block(made, mark, span) } else { made });
    }

    /// A selection or iteration statement is a block of its own (C11 6.8.4p3, 6.8.5p5). That matters for compound literals.
    fn as_block(&mut self, stmt: StmtId, since: super::tables::Mark, span: Span) -> StmtId {
        match self.tables.has_literals_since(since) {
            true => self.tables.stmt(StmtKind::Block(vec![stmt]), span),
            false => stmt,
        }
    }

    fn enter_block(&mut self) {
        self.scopes.enter();
        self.enter_label_scope();
    }

    fn leave_block(&mut self) {
        self.leave_label_scope();
        self.scopes.leave();
    }

    /// A statement that is part of another one.
    pub(super) fn sub_statement(&mut self, id: syntax::StmtId) -> StmtId {
        let mut made = Vec::new();
        let mark = self.tables.mark();
        self.stmt(id, &mut made);
        match made[..] {
            [single] if !self.tables.has_literals_since(mark) => single,
            _ => self.tables.stmt(StmtKind::Block(made), self.unit[id].span),
        }
    }

    fn labels(&mut self, labels: &[syntax::Label], out: &mut Vec<StmtId>) {
        for written in labels {
            let label: Option<LabelId> = match &written.kind {
                LabelKind::Named(name, _) => self.define_label(*name, written.span),
                kind => self.switch_label(kind, written.span),
            };
            if let Some(label) = label {
                out.push(self.tables.stmt(StmtKind::Label(label), written.span));
            }
        }
    }

    /// An `if` with its `else if`s.
    fn if_chain(&mut self, arms: &[IfArm], otherwise: Option<syntax::StmtId>, span: Span) -> Option<StmtId> {
        let made: Vec<(ExprId, StmtId, Span)> = arms
            .iter()
            .map(|arm| {
                let condition = self.condition(arm.condition);
                (condition, self.sub_statement(arm.then), self.unit[arm.condition].span)
            })
            .collect();
        let otherwise = otherwise.map(|otherwise| self.sub_statement(otherwise));
        made.into_iter().rev().fold(otherwise, |otherwise, (condition, then, condition_span)| {
            let span = Span::new(span.file, condition_span.start, span.end.max(condition_span.start));
            Some(self.tables.stmt(StmtKind::If { condition, then, otherwise }, span))
        })
    }

    fn loop_body(&mut self, body: syntax::StmtId) -> StmtId {
        if let Some(frame) = &mut self.frame {
            frame.breakable += 1;
            frame.continuable += 1;
        }
        let body = self.sub_statement(body);
        if let Some(frame) = &mut self.frame {
            frame.breakable -= 1;
            frame.continuable -= 1;
        }
        body
    }

    fn for_loop(&mut self, parts: &For, span: Span, out: &mut Vec<StmtId>) {
        self.scopes.enter();
        let mark = self.tables.mark();
        let mut inner = Vec::new();
        if let Some(init) = parts.init {
            self.stmt(init, &mut inner);
        }
        let condition = parts.condition.map(|condition| self.condition(condition));
        let step = parts.step.map(|step| self.effect(step));
        let body = self.loop_body(parts.body);
        self.scopes.leave();
        let made = self.tables.stmt(StmtKind::Loop(Loop { condition, tests_first: true, body, step }), span);
        if inner.is_empty() {
            out.push(self.as_block(made, mark, span));
        } else {
            inner.push(made);
            out.push(self.tables.stmt(StmtKind::Block(inner), span));
        }
    }

    fn return_stmt(&mut self, value: Option<syntax::ExprId>, span: Span, out: &mut Vec<StmtId>) {
        let result = self.frame.as_ref().map_or(Ty::ERROR, |frame| frame.result);
        let value = value.map(|value| self.rvalue(value));
        let value = match value {
            // gcc only warns about a value that nobody gets, and about one that is missing.
            Some(value) if result.is_void() => {
                let value = self.cast(value, Ty::VOID);
                out.push(self.tables.stmt(StmtKind::Expr(value), span));
                None
            }
            Some(value) => Some(self.convert(value, result, Purpose::Return)),
            None => None,
        };
        out.push(self.tables.stmt(StmtKind::Return(value), span));
    }

    /// An assembler statement. Without instructions it only hides values from the compiler: then it does nothing, or
    /// copies inputs to the outputs that share their registers.
    fn asm(&mut self, asm: &Asm, out: &mut Vec<StmtId>) {
        let inputs: Vec<ExprId> = asm.inputs.iter().map(|input| self.rvalue(input.value)).collect();
        let mut copies = Vec::new();
        let mut is_understood = asm.template.trim().is_empty() && !asm.is_goto;
        for (number, output) in asm.outputs.iter().enumerate() {
            let Some(place) = self.writable(output.value, asm.span) else { return };
            if output.constraint.starts_with('+') {
                continue;
            }
            let digits = number.to_string();
            let name = output.name.map(|name| format!("[{}]", name.symbol));
            let source = asm.inputs.iter().position(|input| {
                input.constraint == digits || name.as_ref().is_some_and(|name| input.constraint == *name)
            });
            match source {
                Some(source) => copies.push((place, inputs[source])),
                None => is_understood = false,
            }
        }
        if !is_understood {
            out.push(self.tables.stmt(StmtKind::Unsupported("inline assembler".into()), asm.span));
            return;
        }
        for (place, value) in copies {
            let stored = self.store(place, value, asm.span);
            out.push(self.tables.stmt(StmtKind::Expr(stored), asm.span));
        }
    }

    /// GNU's `({ ... })`.
    pub(super) fn statement_expr(&mut self, block: syntax::StmtId, span: Span) -> ExprId {
        let unit = self.unit;
        let syntax::StmtKind::Block(statements) = &unit[block].kind else { return self.wrong(span) };
        if self.frame.is_none() {
            return self.fail(span, "statements are only possible inside functions");
        }
        self.enter_block();
        let mut out = Vec::new();
        let mut value = None;
        if let Some((last, others)) = statements.split_last() {
            others.iter().for_each(|statement| self.stmt(*statement, &mut out));
            value = self.last_value(*last, &mut out);
        }
        self.leave_block();
        let block = self.tables.stmt(StmtKind::Block(out), span);
        let ty = value.map_or(Ty::VOID, |value| self.ty(value));
        if ty.is_error() {
            return self.wrong(span);
        }
        self.value(ExprKind::Statements { block, value }, ty, span)
    }

    /// The value that the last statement of a statement expression computes.
    fn last_value(&mut self, last: syntax::StmtId, out: &mut Vec<StmtId>) -> Option<ExprId> {
        let unit = self.unit;
        match &unit[last].kind {
            syntax::StmtKind::Labelled(labels, statement) => {
                self.labels(labels, out);
                self.last_value(*statement, out)
            }
            syntax::StmtKind::Expr(expr) => {
                let operand: Operand = self.expr(*expr);
                let value = self.read(operand);
                if self.ty(value).is_void() {
                    out.push(self.tables.stmt(StmtKind::Expr(value), unit[last].span));
                    return None;
                }
                Some(value)
            }
            _ => {
                self.stmt(last, out);
                None
            }
        }
    }
}
