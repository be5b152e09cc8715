//! Expressions: the value that each has.

use super::link::In;
use super::place::Use;
use super::pointer;
use super::storage::value_sort;
use super::value::Value;
use super::writer::Writer;
use crate::hir::{BinaryOp, CompareOp, Expr, ExprId, ExprKind, LogicalOp, PlaceId, PlaceKind, Scale};
use crate::syntax::deep;
use crate::types::{Scalar, Ty};
use term::{Term, build};

impl Writer<'_, '_> {
    /// The value of an expression.
    pub fn value(&mut self, expr: ExprId) -> Value {
        self.value_into(expr, None)
    }

    /// The value of an expression. If a step gives it that can put it into a variable, it is put into the target.
    pub fn value_into(&mut self, expr: ExprId, target: Option<Term>) -> Value {
        if let Some(value) = self.ahead.remove(&expr) {
            return value;
        }
        let value = deep(|| self.evaluate(expr, target));
        let ty = self.body[expr].ty;
        if value.fits(self.types, ty) || matches!(value, Value::Void) {
            return value;
        }
        self.unsupported_value("a value of an unexpected type", ty)
    }

    /// The value of a scalar expression.
    pub fn scalar(&mut self, expr: ExprId) -> Term {
        let value = self.value(expr);
        match (value, self.types.scalar(self.body[expr].ty)) {
            (Value::Scalar(term), _) => term,
            (_, Some(scalar)) => self.unexpected(scalar),
            (_, None) => self.unexpected(Scalar::Bool),
        }
    }

    fn unexpected(&mut self, scalar: Scalar) -> Term {
        self.unsupported("a value of an unexpected type");
        self.code.arbitrary(value_sort(scalar, self.context.model))
    }

    /// The values of two operands, the left one evaluated first.
    pub fn operands(&mut self, left: ExprId, right: ExprId) -> (Term, Term) {
        let x = self.scalar(left);
        let later = self.effects(right);
        let x = self.protect(x, &later);
        (x, self.scalar(right))
    }

    /// The values of two operands of an operation that does not care which is which. Where C leaves the order open, gcc
    /// puts variables last.
    fn commuting_operands(&mut self, left: ExprId, right: ExprId) -> (Term, Term) {
        if !self.is_variable(left) || self.is_variable(right) {
            return self.operands(left, right);
        }
        let y = self.scalar(right);
        (self.scalar(left), y)
    }

    /// Whether the expression is a variable, converted at most to a type of the same size.
    fn is_variable(&self, expr: ExprId) -> bool {
        match self.body[expr].kind {
            ExprKind::Load(place) => matches!(self.body[place].kind, PlaceKind::Local(_) | PlaceKind::Global(_)),
            ExprKind::Current => true,
            ExprKind::Cast(_, operand) => {
                let size = |expr: ExprId| self.types.size(self.body[expr].ty);
                size(operand) == size(expr) && deep(|| self.is_variable(operand))
            }
            _ => false,
        }
    }

    fn evaluate(&mut self, id: ExprId, target: Option<Term>) -> Value {
        let expr = &self.body[id];
        let term = match &expr.kind {
            ExprKind::Int(n) => self.integer_constant(expr, *n),
            ExprKind::Float(bits) => match self.types.scalar(expr.ty) {
                Some(Scalar::Float(format)) => self.float_constant(format, *bits),
                _ => return self.unsupported_value("a constant of an unexpected type", expr.ty),
            },
            ExprKind::Null => build::null(self.width()),
            ExprKind::Function(function) => self.function_pointer(*function),
            ExprKind::Load(place) => return self.load_place(*place),
            ExprKind::AddressOf(place) => {
                let lvalue = self.place(*place, Use::Address);
                self.address(&lvalue)
            }
            ExprKind::Cast(kind, operand) => return self.cast(*kind, *operand, expr.ty),
            ExprKind::Unary(op, operand) => {
                let x = self.scalar(*operand);
                match self.types.scalar(expr.ty) {
                    Some(scalar) => {
                        self.set_span(expr.span);
                        self.unary(*op, x, scalar)
                    }
                    None => return self.unsupported_value("an operation on an unexpected type", expr.ty),
                }
            }
            ExprKind::Binary(op, left, right) => {
                let commutes =
                    matches!(op, BinaryOp::Add | BinaryOp::Mul | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor);
                let operands = if commutes { Self::commuting_operands } else { Self::operands };
                let (x, y) = operands(self, *left, *right);
                match self.types.scalar(expr.ty) {
                    Some(scalar) => {
                        self.set_span(expr.span);
                        self.binary(*op, x, y, scalar)
                    }
                    None => return self.unsupported_value("an operation on an unexpected type", expr.ty),
                }
            }
            ExprKind::Compare(op, left, right) => self.comparison(*op, *left, *right),
            ExprKind::Not(operand) => build::not(self.truth(*operand)),
            ExprKind::Logical(op, left, right) => self.logical(*op, *left, *right),
            ExprKind::Conditional { condition, then, otherwise } => {
                return self.conditional(*condition, *then, *otherwise, expr.ty);
            }
            ExprKind::Comma(first, second) => {
                self.effect(*first);
                return self.value_into(*second, target);
            }
            ExprKind::PointerOffset { pointer, index, scale, backwards } => {
                self.pointer_offset(*pointer, *index, *scale, *backwards)
            }
            ExprKind::PointerDifference { left, right, scale } => {
                let (x, y) = self.operands(*left, *right);
                let size = match scale {
                    Scale::Constant(size) => self.offset(*size),
                    Scale::Variable(size) => self.scalar(*size),
                };
                pointer::difference(x, y, size)
            }
            ExprKind::Assign { place, value } => return self.assignment(*place, *value, true),
            ExprKind::Update { place, value, yields } => return self.update(*place, *value, Some(*yields)),
            ExprKind::Current => match self.current.last() {
                Some(value) => return value.clone(),
                None => return self.unsupported_value("a value of no place", expr.ty),
            },
            ExprKind::Call { callee, arguments } => {
                return self.call(*callee, arguments, expr.ty, expr.span, target);
            }
            ExprKind::Builtin(builtin, arguments) => {
                self.set_span(expr.span);
                return self.builtin(*builtin, arguments, expr.ty);
            }
            ExprKind::VaList(op) => return self.va_list(*op, expr.ty),
            ExprKind::Statements { block, value } => return self.statement_expression(*block, *value),
            ExprKind::Unsupported(what) => {
                self.set_span(expr.span);
                return self.unsupported_value(*what, expr.ty);
            }
        };
        Value::Scalar(term)
    }

    fn integer_constant(&mut self, expr: &Expr, n: i128) -> Term {
        match self.types.scalar(expr.ty) {
            Some(Scalar::Bool) => build::bool(n != 0),
            Some(Scalar::Int { width, .. }) => build::bv_signed(width, n),
            Some(Scalar::Pointer) => {
                build::pointer(build::bv(term::OBJECT_WIDTH, 0), build::bv_signed(self.width(), n))
            }
            scalar => self.unexpected(scalar.unwrap_or(Scalar::Bool)),
        }
    }

    fn function_pointer(&mut self, function: crate::hir::FunctionId) -> Term {
        let function = self.context.link.definition(In { unit: self.unit, id: function });
        match self.context.function_address(function) {
            Some(pointer) => pointer,
            None => self.unexpected(Scalar::Pointer),
        }
    }

    fn load_place(&mut self, place: PlaceId) -> Value {
        let lvalue = self.place(place, Use::Access);
        self.set_span(self.body[place].span);
        self.load(&lvalue)
    }

    fn comparison(&mut self, op: CompareOp, left: ExprId, right: ExprId) -> Term {
        let (x, y) = self.commuting_operands(left, right);
        match self.types.scalar(self.body[left].ty) {
            Some(scalar) => self.compare(op, x, y, scalar),
            None => self.unexpected(Scalar::Bool),
        }
    }

    /// A truth value.
    pub fn truth(&mut self, expr: ExprId) -> Term {
        let value = self.value(expr);
        self.expect(value, term::Sort::bool())
    }

    fn logical(&mut self, op: LogicalOp, left: ExprId, right: ExprId) -> Term {
        if self.is_simple(right) {
            let (x, y) = (self.truth(left), self.truth(right));
            return match op {
                LogicalOp::And => build::and([x, y]),
                LogicalOp::Or => build::or([x, y]),
            };
        }
        let result = self.code.temporary(term::Sort::bool());
        let (decided, open, end) = (self.code.location(), self.code.location(), self.code.location());
        match op {
            LogicalOp::And => self.branch(left, open, decided),
            LogicalOp::Or => self.branch(left, decided, open),
        }
        self.code.continue_at(decided);
        self.code.assign(result, build::bool(op == LogicalOp::Or));
        self.code.jump(end);
        self.code.continue_at(open);
        let value = self.truth(right);
        self.code.assign(result, value);
        self.code.enter(end);
        result
    }

    fn conditional(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId, ty: Ty) -> Value {
        if self.is_simple(then) && self.is_simple(otherwise) {
            let condition = self.truth(condition);
            let (x, y) = (self.scalar(then), self.scalar(otherwise));
            return Value::Scalar(build::ite(condition, x, y));
        }
        let result = self.join_target(ty);
        let (yes, no, end) = (self.code.location(), self.code.location(), self.code.location());
        self.branch(condition, yes, no);
        for (start, value) in [(yes, then), (no, otherwise)] {
            self.code.continue_at(start);
            if ty.is_void() {
                self.effect(value);
            } else {
                let value = self.value(value);
                self.join(&result, value);
            }
            self.code.jump(end);
        }
        self.code.continue_at(end);
        result.value
    }

    fn pointer_offset(&mut self, pointer: ExprId, index: ExprId, scale: Scale, backwards: bool) -> Term {
        let (start, index) = self.operands(pointer, index);
        let distance = self.scaled(index, scale);
        if start.sort() != self.pointer_sort() || distance.sort().bv_width() != Some(self.width()) {
            return self.unexpected(Scalar::Pointer);
        }
        pointer::add(start, if backwards { build::bv_neg(distance) } else { distance })
    }

    /// Evaluates an expression whose value is not used.
    pub fn effect(&mut self, expr: ExprId) {
        deep(|| self.discard(expr));
    }

    fn discard(&mut self, id: ExprId) {
        let expr = &self.body[id];
        match &expr.kind {
            ExprKind::Cast(_, operand) => self.effect(*operand),
            ExprKind::Comma(first, second) => {
                self.effect(*first);
                self.effect(*second);
            }
            ExprKind::Assign { place, value } => {
                self.assignment(*place, *value, false);
            }
            ExprKind::Update { place, value, .. } => {
                self.update(*place, *value, None);
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let (yes, no, end) = (self.code.location(), self.code.location(), self.code.location());
                self.branch(*condition, yes, no);
                for (start, value) in [(yes, then), (no, otherwise)] {
                    self.code.continue_at(start);
                    self.effect(*value);
                    self.code.jump(end);
                }
                self.code.continue_at(end);
            }
            ExprKind::Logical(op, left, right) => {
                let (open, end) = (self.code.location(), self.code.location());
                match op {
                    LogicalOp::And => self.branch(*left, open, end),
                    LogicalOp::Or => self.branch(*left, end, open),
                }
                self.code.continue_at(open);
                self.effect(*right);
                self.code.enter(end);
            }
            // Reading a variable changes nothing; that of a volatile one is an access.
            ExprKind::Load(place)
                if matches!(self.body[*place].kind, PlaceKind::Local(_) | PlaceKind::Global(_))
                    && !self.body[*place].ty.is_volatile() => {}
            ExprKind::Statements { block, value: Some(value) } if !self.ahead.contains_key(&id) => {
                self.discarded_statements(*block, *value);
            }
            ExprKind::Call { .. } => {
                self.is_discarded = !self.ahead.contains_key(&id);
                self.value(id);
            }
            _ => {
                self.value(id);
            }
        }
    }
}
