//! Expressions: what each form of the syntax tree means.

use super::Checker;
use super::scope::Entity;
use crate::hir::{ExprId, ExprKind, FunctionId, LogicalOp, PlaceId, PlaceKind, UnaryOp};
use crate::syntax::{self, BinaryOp, deep};
use crate::types::Ty;
use source::{Diagnostic, Span, Symbol};

/// What an expression gives before it is used as a value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operand {
    Value(ExprId),
    /// An lvalue.
    Place(PlaceId),
    Function(FunctionId, Span),
    /// The function that this pointer points to.
    Pointee(ExprId),
}

impl Checker<'_> {
    pub(super) fn expr(&mut self, id: syntax::ExprId) -> Operand {
        deep(|| self.expr_inner(id))
    }

    /// The value of an expression: an lvalue is read, arrays and functions become pointers.
    pub(super) fn rvalue(&mut self, id: syntax::ExprId) -> ExprId {
        let operand = self.expr(id);
        self.read(operand)
    }

    /// The truth value of an expression.
    pub(super) fn condition(&mut self, id: syntax::ExprId) -> ExprId {
        let value = self.rvalue(id);
        self.truth(value)
    }

    /// An expression that is evaluated for its effects.
    pub(super) fn effect(&mut self, id: syntax::ExprId) -> ExprId {
        match self.expr(id) {
            // The place of an array or function need not become a pointer only to be forgotten.
            Operand::Place(place) if self.types.is_array(self.tables[place].ty) => self.address(place),
            operand => self.read(operand),
        }
    }

    pub(super) fn read(&mut self, operand: Operand) -> ExprId {
        match operand {
            Operand::Value(value) | Operand::Pointee(value) => value,
            Operand::Function(function, span) => {
                let ty = self.types.pointer(self.functions[function.index()].ty);
                self.value(ExprKind::Function(function), ty, span)
            }
            Operand::Place(place) => self.load(place),
        }
    }

    /// What stands at a place; the address if that is an array.
    pub(super) fn load(&mut self, place: PlaceId) -> ExprId {
        let (ty, span) = (self.tables[place].ty, self.tables[place].span);
        if let Some(element) = self.types.element(ty) {
            let ty = self.types.pointer(element);
            return self.value(ExprKind::AddressOf(place), ty, span);
        }
        if ty.is_error() {
            return self.wrong(span);
        }
        if ty.is_void() {
            let address = self.address(place);
            return self.cast(address, Ty::VOID);
        }
        if !self.types.is_complete(ty) {
            return self.fail(span, format!("the type {} is incomplete here", self.quoted(ty)));
        }
        self.value(ExprKind::Load(place), ty, span)
    }

    /// The address of a place.
    pub(super) fn address(&mut self, place: PlaceId) -> ExprId {
        let (ty, span) = (self.tables[place].ty, self.tables[place].span);
        if let PlaceKind::Deref(pointer) = self.tables[place].kind {
            return pointer;
        }
        let ty = self.types.pointer(ty);
        self.value(ExprKind::AddressOf(place), ty, span)
    }

    /// The type of an operand as `sizeof` and `typeof` see it.
    pub(super) fn operand_type(&self, operand: Operand) -> Ty {
        match operand {
            Operand::Value(value) => self.ty(value),
            Operand::Place(place) => self.tables[place].ty,
            Operand::Function(function, _) => self.functions[function.index()].ty,
            Operand::Pointee(pointer) => self.types.pointee(self.ty(pointer)).unwrap_or(Ty::ERROR),
        }
    }

    fn expr_inner(&mut self, id: syntax::ExprId) -> Operand {
        let unit = self.unit;
        let span = unit[id].span;
        let value = match &unit[id].kind {
            syntax::ExprKind::Name(name) => return self.name(*name, span),
            syntax::ExprKind::String(literal) => return self.string(literal, span),
            syntax::ExprKind::CompoundLiteral(ty, init) => return self.compound_literal(*ty, *init, span),
            syntax::ExprKind::Index(base, index) => return self.index(*base, *index, span),
            syntax::ExprKind::Member(base, field, arrow) => return self.member(*base, *field, *arrow, span),
            syntax::ExprKind::Unary(op, operand) => return self.unary(*op, *operand, span),
            syntax::ExprKind::Generic(control, arms) => return self.generic(*control, arms, span),
            syntax::ExprKind::Choose(condition, then, otherwise) => {
                return self.choose(*condition, *then, *otherwise);
            }
            syntax::ExprKind::Int(literal) => self.int_literal(*literal, span),
            syntax::ExprKind::Float(literal) => self.float_literal(literal, span),
            syntax::ExprKind::Char(literal) => self.char_literal(*literal, span),
            syntax::ExprKind::Binary(op, left, right) => self.binary(*op, *left, *right, span),
            syntax::ExprKind::Assign(None, target, value) => self.assign(*target, *value, span),
            syntax::ExprKind::Assign(Some(op), target, value) => self.compound_assign(*op, *target, *value, span),
            syntax::ExprKind::Conditional(condition, then, otherwise) => {
                self.conditional(*condition, *then, *otherwise, span)
            }
            syntax::ExprKind::Cast(ty, operand) => self.explicit_cast(*ty, *operand, span),
            syntax::ExprKind::Braces(_) => self.fail(span, "a braced list initialises something; it is not a value"),
            syntax::ExprKind::Call(callee, arguments) => self.call(*callee, arguments, span),
            syntax::ExprKind::SizeofExpr(operand) => self.sizeof_expr(*operand, span),
            syntax::ExprKind::SizeofType(ty) => self.sizeof_type(*ty, span),
            syntax::ExprKind::AlignofExpr(operand) => self.alignof_expr(*operand, span),
            syntax::ExprKind::AlignofType(ty) => self.alignof_type(*ty, span),
            syntax::ExprKind::Statements(block) => self.statement_expr(*block, span),
            syntax::ExprKind::LabelAddress(_) => {
                let ty = self.types.pointer(Ty::VOID);
                self.unsupported("the address of a label", ty, span)
            }
            syntax::ExprKind::VaArg(list, ty) => self.va_arg(*list, *ty, span),
            syntax::ExprKind::Offsetof(ty, path) => self.offsetof(*ty, path, span),
            syntax::ExprKind::TypesCompatible(left, right) => self.types_compatible(*left, *right, span),
        };
        Operand::Value(value)
    }

    fn name(&mut self, name: Symbol, span: Span) -> Operand {
        match self.scopes.find(name).map(|binding| binding.meaning) {
            Some(Entity::Local(local)) => {
                let ty = self.tables.locals[local.index()].ty;
                Operand::Place(self.tables.place(PlaceKind::Local(local), ty, span))
            }
            Some(Entity::Global(global)) => {
                let ty = self.globals[global.index()].ty;
                Operand::Place(self.tables.place(PlaceKind::Global(global), ty, span))
            }
            Some(Entity::Function(function)) => Operand::Function(function, span),
            Some(Entity::Enumerator { value, ty }) => Operand::Value(self.int(value, ty, span)),
            Some(Entity::Register(ty)) => {
                let pointer = self.types.pointer(ty);
                let pointer = self.unsupported("a variable in a register of the machine", pointer, span);
                Operand::Place(self.tables.place(PlaceKind::Deref(pointer), ty, span))
            }
            Some(Entity::Typedef(_)) => {
                Operand::Value(self.fail(span, format!("`{name}` is a type, but a value is expected here")))
            }
            Some(Entity::Error) => Operand::Value(self.wrong(span)),
            None => self.undeclared(name, span),
        }
    }

    fn undeclared(&mut self, name: Symbol, span: Span) -> Operand {
        if let Some(meaning) = self.contract_name(name, span) {
            return meaning;
        }
        if let Some(place) = self.function_name(name, span) {
            return Operand::Place(place);
        }
        if let Some(function) = self.library_function(name.as_str().strip_prefix("__builtin_").unwrap_or(""), span) {
            return Operand::Function(function, span);
        }
        self.report(Diagnostic::error(span, format!("`{name}` is not declared")).label("not found in this scope"));
        // Further uses would repeat the same message.
        self.scopes.declare(name, Entity::Error, span);
        Operand::Value(self.wrong(span))
    }

    fn unary(&mut self, op: syntax::UnaryOp, operand: syntax::ExprId, span: Span) -> Operand {
        let value = match op {
            syntax::UnaryOp::Deref => {
                let pointer = self.rvalue(operand);
                return self.deref(pointer, span);
            }
            syntax::UnaryOp::Real | syntax::UnaryOp::Imag => return self.part_of_complex(op, operand, span),
            syntax::UnaryOp::AddressOf => self.address_of(operand, span),
            syntax::UnaryOp::PreIncrement => self.increment(operand, BinaryOp::Add, crate::hir::Yields::After, span),
            syntax::UnaryOp::PreDecrement => self.increment(operand, BinaryOp::Sub, crate::hir::Yields::After, span),
            syntax::UnaryOp::PostIncrement => self.increment(operand, BinaryOp::Add, crate::hir::Yields::Before, span),
            syntax::UnaryOp::PostDecrement => self.increment(operand, BinaryOp::Sub, crate::hir::Yields::Before, span),
            syntax::UnaryOp::Not => {
                let truth = self.condition(operand);
                if self.ty(truth).is_error() {
                    return Operand::Value(truth);
                }
                let negated = self.not_node(truth, span);
                self.truth_as_int(negated)
            }
            syntax::UnaryOp::Plus | syntax::UnaryOp::Minus | syntax::UnaryOp::BitNot => {
                self.signed_operand(op, operand, span)
            }
        };
        Operand::Value(value)
    }

    /// `+`, `-` and `~`.
    fn signed_operand(&mut self, op: syntax::UnaryOp, operand: syntax::ExprId, span: Span) -> ExprId {
        let value = self.rvalue(operand);
        let ty = self.ty(value);
        if ty.is_error() {
            return self.wrong(span);
        }
        if let Some(what) = self.types.unsupported(ty) {
            return self.unsupported(what, ty, span);
        }
        let (fits, word) = match op {
            syntax::UnaryOp::BitNot => (self.types.is_integer(ty), "~"),
            syntax::UnaryOp::Minus => (self.types.is_arithmetic(ty), "-"),
            _ => (self.types.is_arithmetic(ty), "+"),
        };
        if !fits {
            return self.fail(span, format!("`{word}` does not apply to a value of type {}", self.quoted(ty)));
        }
        let value = self.promote(value);
        match op {
            syntax::UnaryOp::BitNot => self.unary_node(UnaryOp::Complement, value, span),
            syntax::UnaryOp::Minus => self.unary_node(UnaryOp::Negate, value, span),
            _ => value,
        }
    }

    fn binary(&mut self, op: BinaryOp, left: syntax::ExprId, right: syntax::ExprId, span: Span) -> ExprId {
        match op {
            BinaryOp::Comma => {
                let first = self.effect(left);
                let second = self.rvalue(right);
                let ty = self.ty(second);
                self.value(ExprKind::Comma(first, second), ty, span)
            }
            BinaryOp::And | BinaryOp::Or => {
                let (left, right) = (self.condition(left), self.condition(right));
                if self.ty(left).is_error() || self.ty(right).is_error() {
                    return self.wrong(span);
                }
                let op = if op == BinaryOp::And { LogicalOp::And } else { LogicalOp::Or };
                let truth = self.logical_node(op, left, right, span);
                self.truth_as_int(truth)
            }
            _ => {
                let (left, right) = (self.rvalue(left), self.rvalue(right));
                self.operate(op, left, right, span)
            }
        }
    }
}
