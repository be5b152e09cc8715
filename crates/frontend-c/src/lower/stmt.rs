//! Statements.

use super::place::Lvalue;
use super::scope::{Scope, blocks_around_labels};
use super::storage::Shape;
use super::value::{RecordValue, Value};
use super::writer::Writer;
use crate::hir::{ExprId, LabelId, Loop, StmtId, StmtKind};
use crate::syntax::deep;
use crate::types::Ty;
use ir::{LocId, Op};

impl Writer<'_, '_> {
    pub fn statement(&mut self, stmt: StmtId) {
        deep(|| self.write_statement(stmt));
    }

    fn write_statement(&mut self, id: StmtId) {
        let stmt = &self.body[id];
        self.set_span(stmt.span);
        match &stmt.kind {
            StmtKind::Expr(expr) => self.full_expression(|writer| writer.effect(*expr)),
            StmtKind::Block(list) => self.block(id, list, |_| ()),
            StmtKind::Declare { local, size, init } => {
                let size = size.map(|size| self.scalar(size));
                if size.is_some() {
                    self.assume_representable(self.body[*local].ty);
                }
                let lvalue = self.begin_local(*local, size);
                self.begin_without_value(&lvalue);
                if let Some(init) = init {
                    self.full_expression(|writer| writer.initialise(&lvalue, init));
                    self.has_value(&lvalue);
                }
            }
            StmtKind::If { condition, then, otherwise } => self.if_statement(*condition, *then, *otherwise),
            StmtKind::Loop(this) => self.loop_statement(this),
            StmtKind::Switch(this) => self.switch(this),
            StmtKind::Label(label) => self.label_statement(*label),
            StmtKind::Goto(label) => self.goto(*label),
            StmtKind::Break => self.leave_to(self.breaks.last().copied()),
            StmtKind::Continue => self.leave_to(self.continues.last().copied()),
            StmtKind::Return(value) => self.return_statement(*value),
            StmtKind::Unsupported(what) => self.unsupported(*what),
        }
    }

    /// A block, and something to be evaluated in its scope at the end.
    fn block<T>(&mut self, id: StmtId, list: &[StmtId], at_end: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(Scope::new(Some(id)));
        let depth = self.scopes.len() - 1;
        for stmt in list {
            self.statement(*stmt);
        }
        let result = at_end(self);
        self.leave_scopes(depth);
        self.scopes.truncate(depth);
        result
    }

    /// GNU's `({ ... })`.
    pub fn statement_expression(&mut self, block: StmtId, value: Option<ExprId>) -> Value {
        let stmt = &self.body[block];
        let StmtKind::Block(list) = &stmt.kind else {
            self.statement(block);
            return value.map_or(Value::Void, |value| self.value(value));
        };
        self.block(block, list, |writer| match value {
            None => Value::Void,
            // What ends with the block must not be read after it.
            Some(value) => match writer.value(value) {
                Value::Scalar(term) => Value::Scalar(writer.code.keep(term)),
                Value::Record(RecordValue::Leaves(terms)) => {
                    Value::Record(RecordValue::Leaves(terms.into_iter().map(|t| writer.code.keep(t)).collect()))
                }
                other => other,
            },
        })
    }

    /// The same where nothing looks at the value.
    pub fn discarded_statements(&mut self, block: StmtId, value: ExprId) {
        match &self.body[block].kind {
            StmtKind::Block(list) => self.block(block, list, |writer| writer.effect(value)),
            _ => {
                self.statement(block);
                self.effect(value);
            }
        }
    }

    fn if_statement(&mut self, condition: ExprId, then: StmtId, otherwise: Option<StmtId>) {
        let (yes, no, end) = (self.code.location(), self.code.location(), self.code.location());
        self.branch_on_full(condition, yes, no);
        self.code.continue_at(yes);
        self.statement(then);
        self.code.jump(end);
        self.code.continue_at(no);
        if let Some(otherwise) = otherwise {
            self.statement(otherwise);
        }
        self.code.enter(end);
    }

    fn loop_statement(&mut self, this: &Loop) {
        let (test, pass, next, end) =
            (self.code.location(), self.code.location(), self.code.location(), self.code.location());
        self.code.jump(if this.tests_first { test } else { pass });
        self.code.continue_at(test);
        match this.condition {
            Some(condition) => self.branch_on_full(condition, pass, end),
            None => self.code.jump(pass),
        }
        let depth = self.scopes.len();
        self.breaks.push((end, depth));
        self.continues.push((next, depth));
        self.code.continue_at(pass);
        self.statement(this.body);
        self.breaks.pop();
        self.continues.pop();
        self.code.enter(next);
        if let Some(step) = this.step {
            self.set_span(self.body[step].span);
            self.full_expression(|writer| writer.effect(step));
        }
        self.code.jump(test);
        self.code.continue_at(end);
    }

    fn leave_to(&mut self, target: Option<(LocId, usize)>) {
        match target {
            Some((location, depth)) => {
                self.leave_scopes(depth);
                self.code.jump(location);
            }
            None => self.unsupported("a jump that leaves nothing"),
        }
    }

    /// The location of a label.
    pub fn label(&mut self, label: LabelId) -> LocId {
        if let Some(location) = self.labels.get(&label) {
            return *location;
        }
        let location = self.code.location();
        self.labels.insert(label, location);
        location
    }

    fn label_statement(&mut self, id: LabelId) {
        let location = self.label(id);
        self.code.enter(location);
        if let Some(name) = self.body[id].name {
            self.code.set_label(location, name);
            self.check_label(name);
        }
    }

    fn goto(&mut self, label: LabelId) {
        if self.scopes.len() > 1 {
            let blocks = self.blocks_around(label);
            let mut around = blocks.iter();
            let mut depth = 1;
            for (i, scope) in self.scopes.iter().enumerate().skip(1) {
                match scope.block {
                    Some(block) if around.next() == Some(&block) => depth = i + 1,
                    // Those of full expressions are shared where a block in them is.
                    None => {}
                    Some(_) => break,
                }
            }
            self.leave_scopes(depth);
        }
        let location = self.label(label);
        self.code.jump(location);
    }

    fn blocks_around(&mut self, label: LabelId) -> Vec<StmtId> {
        if self.label_blocks.is_none() {
            self.label_blocks = Some(blocks_around_labels(self.body));
        }
        self.label_blocks.as_ref().and_then(|blocks| blocks.get(&label).cloned()).unwrap_or_default()
    }

    fn return_statement(&mut self, value: Option<ExprId>) {
        if let Some(expr) = value {
            let target =
                self.results.first().copied().filter(|_| self.results.len() == 1 && !self.body[expr].ty.is_bool());
            let value = self.value_into(expr, target);
            self.set_span(self.body[expr].span);
            self.give_result(value, self.body[expr].ty);
        }
        self.finish_function(value.is_some());
    }

    /// Ends scopes, and the function, which has given its value or not.
    pub fn finish_function(&mut self, has_value: bool) {
        self.leave_scopes(0);
        self.check_promises();
        self.note_value(has_value);
        self.leave_section();
        self.code.finish_here();
    }

    /// The end of the atomic section that the body is, if it is one.
    pub fn leave_section(&mut self) {
        if self.is_atomic && self.context.threaded {
            self.code.emit(Op::AtomicEnd);
        }
    }

    /// Puts a value of the function's type where its caller finds it.
    pub fn give_result(&mut self, value: Value, ty: Ty) {
        match (Shape::of(self.types, ty), value) {
            (Shape::Nothing, _) => {}
            (Shape::Scalar(_), Value::Scalar(value)) if self.results.len() == 1 => {
                let (result, stored) = (self.results[0], super::storage::to_stored(value));
                if result.sort() == stored.sort() {
                    self.code.assign(result, stored);
                } else {
                    self.unsupported("a result of an unexpected type");
                }
            }
            (Shape::Leaves(leaves), Value::Record(record)) => {
                let values = self.leaf_values(record, &leaves);
                let fits = values.len() == self.results.len()
                    && values.iter().zip(&self.results).all(|(value, result)| value.sort() == result.sort());
                if fits {
                    self.code.assign_all(self.results.iter().copied().zip(values).collect());
                } else {
                    self.unsupported("a result of an unexpected type");
                }
            }
            (Shape::Memory, Value::Record(record)) => match self.result_pointer {
                Some(pointer) => {
                    let lvalue = Lvalue { is_known: true, ..Lvalue::memory(pointer, ty) };
                    self.store_record(&lvalue, record);
                }
                None => self.unsupported("a result of an unexpected type"),
            },
            (Shape::Unsupported(what), _) => self.unsupported(what),
            _ => self.unsupported("a result of an unexpected type"),
        }
    }
}
