//! Constant expressions: what must be known before the program runs.
//!
//! Evaluation follows gcc: overflow wraps, a shift by too much moves every bit out, an integer out of a conversion's
//! range is the nearest one. A division by zero is not constant.

use super::{Checker, float};
use crate::hir::{
    AddressBase, BinaryOp, CastKind, CompareOp, ExprId, ExprKind, GlobalId, LogicalOp, PlaceId, PlaceKind, Scale,
    StaticValue, UnaryOp,
};
use crate::syntax::{self, StaticAssert, deep};
use crate::types::{Scalar, Ty};
use source::{Diagnostic, Symbol};

/// A value that is known before the program runs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Constant {
    /// Of an integer type, or a pointer to that address.
    Int(i128),
    Float(u128),
    /// A pointer, or an integer as wide as one.
    Address {
        base: AddressBase,
        offset: i64,
    },
    /// Something that Fathom does not support.
    Unsupported(Symbol),
}

impl Checker<'_> {
    /// The value of an integer constant expression, with its type. Reports an error if it is none: "`what` is not
    /// constant".
    pub(super) fn constant_int(&mut self, expr: syntax::ExprId, what: &str) -> Option<(i128, Ty)> {
        let mark = self.tables.mark();
        let value = self.rvalue(expr);
        let ty = self.ty(value);
        let constant = self.evaluate(value);
        self.tables.reset(mark);
        if ty.is_error() {
            return None;
        }
        let span = self.unit[expr].span;
        match constant {
            Some(Constant::Int(value)) if self.types.is_integer(ty) => Some((value, ty)),
            _ if !self.types.is_integer(ty) => {
                self.error(span, format!("{what} must be an integer, but has type {}", self.quoted(ty)));
                None
            }
            _ => {
                self.error(span, format!("{what} is not constant"));
                None
            }
        }
    }

    /// `_Static_assert`
    pub(super) fn static_assert(&mut self, assertion: &StaticAssert) {
        if let Some((0, _)) = self.constant_int(assertion.condition, "the condition of a static assertion") {
            let message = match &assertion.message {
                Some(text) => format!("static assertion failed: {text}"),
                None => "static assertion failed".to_owned(),
            };
            self.report(Diagnostic::error(assertion.span, message));
        }
    }

    /// The value of an expression, if it is constant.
    pub(super) fn evaluate(&self, value: ExprId) -> Option<Constant> {
        deep(|| self.evaluate_inner(value))
    }

    /// The values of two operands. What is not supported about one of them is said at once.
    fn evaluate_both(&self, left: ExprId, right: ExprId) -> Result<(Constant, Constant), Option<Constant>> {
        match (self.evaluate(left), self.evaluate(right)) {
            (Some(Constant::Unsupported(what)), Some(_)) | (Some(_), Some(Constant::Unsupported(what))) => {
                Err(Some(Constant::Unsupported(what)))
            }
            (Some(left), Some(right)) => Ok((left, right)),
            _ => Err(None),
        }
    }

    fn evaluate_inner(&self, value: ExprId) -> Option<Constant> {
        let ty = self.ty(value);
        match &self.tables[value].kind {
            ExprKind::Int(value) => Some(Constant::Int(*value)),
            ExprKind::Float(bits) => Some(Constant::Float(*bits)),
            ExprKind::Null => Some(Constant::Int(0)),
            ExprKind::Function(function) => {
                Some(Constant::Address { base: AddressBase::Function(*function), offset: 0 })
            }
            ExprKind::AddressOf(place) => self.evaluate_address(*place),
            ExprKind::Load(place) => self.evaluate_constant_variable(*place),
            ExprKind::Cast(kind, operand) => self.evaluate_cast(*kind, *operand, ty),
            ExprKind::Unary(op, operand) => match self.evaluate(*operand)? {
                Constant::Int(value) => {
                    let shape = self.int_shape(ty)?;
                    Some(Constant::Int(match op {
                        UnaryOp::Negate => shape.negate(value).value,
                        UnaryOp::Complement => shape.complement(value),
                    }))
                }
                Constant::Float(bits) => Some(Constant::Float(float::negate(self.float_format(ty)?, bits))),
                Constant::Unsupported(what) => Some(Constant::Unsupported(what)),
                Constant::Address { .. } => None,
            },
            ExprKind::Binary(op, left, right) => self.evaluate_binary(*op, *left, *right),
            ExprKind::Compare(op, left, right) => {
                let operands = match self.evaluate_both(*left, *right) {
                    Ok(operands) => operands,
                    Err(other) => return other,
                };
                let truth = match operands {
                    (Constant::Int(a), Constant::Int(b)) => match self.int_shape(self.ty(*left)) {
                        Some(shape) => shape.compare(*op, a, b),
                        // Addresses are compared without sign.
                        None => super::number::IntShape { width: 128, signed: false }.compare(*op, a, b),
                    },
                    (Constant::Float(a), Constant::Float(b)) => {
                        float::compare(self.float_format(self.ty(*left))?, *op, a, b)
                    }
                    (left, right) => self.compare_addresses(*op, left, right)?,
                };
                Some(Constant::Int(i128::from(truth)))
            }
            ExprKind::Not(operand) => match self.evaluate(*operand)? {
                Constant::Int(truth) => Some(Constant::Int(1 - truth)),
                other => Some(other),
            },
            ExprKind::Logical(op, left, right) => match (self.evaluate(*left)?, op) {
                (Constant::Int(0), LogicalOp::Or) | (Constant::Int(1), LogicalOp::And) => self.evaluate(*right),
                (decided, _) => Some(decided),
            },
            ExprKind::Conditional { condition, then, otherwise } => match self.evaluate(*condition)? {
                Constant::Int(0) => self.evaluate(*otherwise),
                Constant::Int(_) => self.evaluate(*then),
                other => Some(other),
            },
            ExprKind::PointerOffset { pointer, index, scale, backwards } => {
                let Constant::Int(index) = self.evaluate(*index)? else { return None };
                let Scale::Constant(scale) = *scale else { return None };
                let distance = i64::try_from(index.checked_mul(i128::from(scale))?).ok()?;
                move_by(self.evaluate(*pointer)?, if *backwards { distance.checked_neg()? } else { distance })
            }
            ExprKind::PointerDifference { left, right, scale: Scale::Constant(scale @ 1..) } => {
                match self.evaluate_both(*left, *right) {
                    Ok((left, right)) => distance(left, right).map(|bytes| Constant::Int(bytes / i128::from(*scale))),
                    Err(other) => other,
                }
            }
            ExprKind::Unsupported(what) => Some(Constant::Unsupported(*what)),
            _ => None,
        }
    }

    fn float_format(&self, ty: Ty) -> Option<term::FloatFormat> {
        match self.types.scalar(ty)? {
            Scalar::Float(format) => Some(format),
            _ => None,
        }
    }

    fn evaluate_cast(&self, kind: CastKind, operand: ExprId, ty: Ty) -> Option<Constant> {
        let constant = self.evaluate(operand)?;
        if let Constant::Unsupported(_) = constant {
            return Some(constant);
        }
        Some(match (kind, constant) {
            (CastKind::IntToInt | CastKind::BoolToInt, Constant::Int(value)) => {
                Constant::Int(self.int_shape(ty)?.wrap(value))
            }
            (CastKind::IntToBool | CastKind::PointerToBool, Constant::Int(value)) => {
                Constant::Int(i128::from(value != 0))
            }
            (CastKind::PointerToBool, Constant::Address { base, .. }) if self.is_somewhere(base) => Constant::Int(1),
            (CastKind::FloatToBool, Constant::Float(bits)) => {
                Constant::Int(i128::from(!float::is_zero(self.float_format(self.ty(operand))?, bits)))
            }
            (CastKind::IntToFloat, Constant::Int(value)) => {
                let is_unsigned = !self.int_shape(self.ty(operand))?.signed;
                Constant::Float(float::from_int(self.float_format(ty)?, value, is_unsigned))
            }
            (CastKind::FloatToInt, Constant::Float(bits)) => {
                let shape = self.int_shape(ty)?;
                Constant::Int(float::to_int(self.float_format(self.ty(operand))?, bits, shape.width, shape.signed).0)
            }
            (CastKind::FloatToFloat, Constant::Float(bits)) => {
                Constant::Float(float::convert(self.float_format(self.ty(operand))?, bits, self.float_format(ty)?))
            }
            (CastKind::PointerToPointer, pointer) => pointer,
            (CastKind::IntToPointer, Constant::Int(value)) => Constant::Int(
                super::number::IntShape { width: self.types.model().pointer_width(), signed: false }.wrap(value),
            ),
            (CastKind::PointerToInt, Constant::Int(value)) => Constant::Int(self.int_shape(ty)?.wrap(value)),
            (CastKind::IntToPointer | CastKind::PointerToInt, address) => address,
            // An integer of the same width still holds the whole address.
            (CastKind::IntToInt, address @ Constant::Address { .. })
                if self.int_shape(ty)?.width == self.types.model().pointer_width() =>
            {
                address
            }
            _ => return None,
        })
    }

    fn evaluate_binary(&self, op: BinaryOp, left: ExprId, right: ExprId) -> Option<Constant> {
        let ty = self.ty(left);
        let operands = match self.evaluate_both(left, right) {
            Ok(operands) => operands,
            Err(other) => return other,
        };
        match operands {
            (Constant::Int(a), Constant::Int(b)) => Some(Constant::Int(self.int_shape(ty)?.binary(op, a, b)?.value)),
            (Constant::Float(a), Constant::Float(b)) => {
                float::binary(self.float_format(ty)?, op, a, b).map(Constant::Float)
            }
            (address @ Constant::Address { .. }, Constant::Int(distance)) => {
                let distance = i64::try_from(distance).ok()?;
                match op {
                    BinaryOp::Add => move_by(address, distance),
                    BinaryOp::Sub => move_by(address, distance.checked_neg()?),
                    _ => None,
                }
            }
            (Constant::Int(distance), address @ Constant::Address { .. }) if op == BinaryOp::Add => {
                move_by(address, i64::try_from(distance).ok()?)
            }
            (left, right) if op == BinaryOp::Sub => distance(left, right).map(Constant::Int),
            _ => None,
        }
    }

    /// Whether two addresses are equal, where that is certain.
    fn compare_addresses(&self, op: CompareOp, left: Constant, right: Constant) -> Option<bool> {
        let equal = match (left, right) {
            (Constant::Address { base: a, offset: m }, Constant::Address { base: b, offset: n }) if a == b => m == n,
            (Constant::Address { base, .. }, Constant::Int(0)) | (Constant::Int(0), Constant::Address { base, .. })
                if self.is_somewhere(base) =>
            {
                false
            }
            _ => return None,
        };
        match op {
            CompareOp::Eq => Some(equal),
            CompareOp::Ne => Some(!equal),
            _ => None,
        }
    }

    /// Whether there is certainly something at the address, which then is not 0.
    fn is_somewhere(&self, base: AddressBase) -> bool {
        match base {
            AddressBase::Global(id) => !self.globals[id.index()].is_weak,
            AddressBase::Function(id) => !self.functions[id.index()].is_weak,
            AddressBase::String(_) => true,
        }
    }

    /// Where a place is.
    fn evaluate_address(&self, place: PlaceId) -> Option<Constant> {
        match &self.tables[place].kind {
            PlaceKind::Local(_) | PlaceKind::Initialised { .. } => None,
            PlaceKind::Global(global) => {
                let is_fixed = !self.globals[global.index()].is_thread_local;
                is_fixed.then_some(Constant::Address { base: AddressBase::Global(*global), offset: 0 })
            }
            PlaceKind::String(string) => Some(Constant::Address { base: AddressBase::String(*string), offset: 0 }),
            PlaceKind::Deref(pointer) => self.evaluate(*pointer),
            PlaceKind::Field { base, record, field } => {
                let field = self.types[*record].layout.as_ref()?.fields.get(*field as usize)?;
                let base = deep(|| self.evaluate_address(*base))?;
                move_by(base, i64::try_from(field.offset).ok()?)
            }
            PlaceKind::Element { array, index, scale } => {
                let Constant::Int(index) = self.evaluate(*index)? else { return None };
                let Scale::Constant(scale) = *scale else { return None };
                let base = deep(|| self.evaluate_address(*array))?;
                move_by(base, i64::try_from(index.checked_mul(i128::from(scale))?).ok()?)
            }
        }
    }

    /// The value of a scalar variable that is constant and was initialised: gcc takes it in initialisers.
    fn evaluate_constant_variable(&self, place: PlaceId) -> Option<Constant> {
        let PlaceKind::Global(global) = self.tables[place].kind else { return None };
        if !self.reads_constants {
            return None;
        }
        let ty = self.tables[place].ty;
        if !ty.is_const() || ty.is_volatile() || !self.types.is_scalar(ty) {
            return None;
        }
        self.initial_scalar(global)
    }

    fn initial_scalar(&self, global: GlobalId) -> Option<Constant> {
        let entries = self.globals[global.index()].init.as_ref()?;
        match entries.first()?.value {
            StaticValue::Int(value) => Some(Constant::Int(value)),
            StaticValue::Float(bits) => Some(Constant::Float(bits)),
            StaticValue::Address { base, offset } => Some(Constant::Address { base, offset }),
            StaticValue::Unsupported { what, .. } => Some(Constant::Unsupported(what)),
        }
    }
}

fn move_by(constant: Constant, distance: i64) -> Option<Constant> {
    match constant {
        Constant::Address { base, offset } => Some(Constant::Address { base, offset: offset.checked_add(distance)? }),
        Constant::Int(address) => Some(Constant::Int(address.checked_add(i128::from(distance))?)),
        Constant::Unsupported(_) => Some(constant),
        Constant::Float(_) => None,
    }
}

/// The bytes between two addresses, where that is certain.
fn distance(left: Constant, right: Constant) -> Option<i128> {
    match (left, right) {
        (Constant::Address { base: a, offset: m }, Constant::Address { base: b, offset: n }) if a == b => {
            Some(i128::from(m) - i128::from(n))
        }
        (Constant::Int(a), Constant::Int(b)) => a.checked_sub(b),
        _ => None,
    }
}
