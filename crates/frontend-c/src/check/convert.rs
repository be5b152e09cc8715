//! Conversions made explicit: casts, promotions, and what happens to a value that is assigned.

use super::number::IntShape;
use super::{Checker, float};
use crate::hir::{CastKind, ExprId, ExprKind, PlaceId, PlaceKind};
use crate::types::{Scalar, Ty};
use source::{Diagnostic, Span, Symbol};

/// What a value is converted for, as messages say it.
#[derive(Clone, Copy)]
pub(super) enum Purpose {
    Assign,
    Initialise,
    Return,
    /// The argument of this number (from 1), for a function of this name.
    Argument(usize, Option<Symbol>),
}

impl Checker<'_> {
    pub(super) fn ty(&self, value: ExprId) -> Ty {
        self.tables[value].ty
    }

    pub(super) fn span(&self, value: ExprId) -> Span {
        self.tables[value].span
    }

    /// A new value of the type.
    pub(super) fn value(&mut self, kind: ExprKind, ty: Ty, span: Span) -> ExprId {
        let ty = self.types.plain(ty);
        self.tables.expr(kind, ty, span)
    }

    pub(super) fn int(&mut self, value: i128, ty: Ty, span: Span) -> ExprId {
        self.value(ExprKind::Int(value), ty, span)
    }

    /// What stands for a value that something is wrong with; that has been reported.
    pub(super) fn wrong(&mut self, span: Span) -> ExprId {
        self.value(ExprKind::Null, Ty::ERROR, span)
    }

    /// Reports an error, and stands for the value.
    pub(super) fn fail(&mut self, span: Span, message: impl Into<String>) -> ExprId {
        self.error(span, message);
        self.wrong(span)
    }

    /// A value that Fathom cannot compute.
    pub(super) fn unsupported(&mut self, what: impl Into<Symbol>, ty: Ty, span: Span) -> ExprId {
        self.value(ExprKind::Unsupported(what.into()), ty, span)
    }

    /// The value of an integer constant, and its shape.
    pub(super) fn int_constant(&self, value: ExprId) -> Option<(i128, IntShape)> {
        match self.tables[value].kind {
            ExprKind::Int(constant) => Some((constant, self.int_shape(self.ty(value))?)),
            _ => None,
        }
    }

    /// The shape of an integer type; `_Bool` has one bit.
    pub(super) fn int_shape(&self, ty: Ty) -> Option<IntShape> {
        match self.types.scalar(ty)? {
            Scalar::Bool => Some(IntShape { width: 1, signed: false }),
            Scalar::Int { width, signed } => Some(IntShape { width, signed }),
            _ => None,
        }
    }

    /// The value as one of the type. Between scalar types every conversion that C has is allowed here; whether the
    /// program may ask for it is the caller's question.
    pub(super) fn cast(&mut self, value: ExprId, to: Ty) -> ExprId {
        let to = self.types.plain(to);
        let from = self.ty(value);
        let span = self.span(value);
        if from == to {
            // A bit-field that is wider than int keeps its width until it is converted, be it to its declared type.
            let Some(width) = self.bit_field_width(value) else { return value };
            let own = self.types.promoted_bit_field(from, width);
            if own == from {
                return value;
            }
            let promoted = self.cast(value, own);
            return self.cast(promoted, to);
        }
        if from.is_error() || to.is_error() {
            return self.wrong(span);
        }
        if to.is_void() {
            return self.value(ExprKind::Cast(CastKind::ToVoid, value), to, span);
        }
        if let Some(what) = self.types.unsupported(from).or(self.types.unsupported(to)) {
            return self.unsupported(what, to, span);
        }
        let (Some(source), Some(target)) = (self.types.scalar(from), self.types.scalar(to)) else {
            return self.fail(span, format!("cannot convert {} to {}", self.quoted(from), self.quoted(to)));
        };
        if let Some(folded) = self.fold_cast(value, source, target) {
            return self.value(folded, to, span);
        }
        let width = self.types.ptrdiff_type();
        let kind = match (source, target) {
            // Types that differ in their names only.
            (Scalar::Bool, Scalar::Bool) => return value,
            (Scalar::Bool, Scalar::Int { .. }) => CastKind::BoolToInt,
            (Scalar::Bool, Scalar::Float(_)) => {
                let int = self.cast(value, Ty::INT);
                return self.cast(int, to);
            }
            (Scalar::Int { .. }, Scalar::Bool) => match self.truth_inside(value) {
                Some(truth) => return truth,
                None => CastKind::IntToBool,
            },
            (Scalar::Int { .. }, Scalar::Int { .. }) => CastKind::IntToInt,
            (Scalar::Int { .. }, Scalar::Float(_)) => CastKind::IntToFloat,
            (Scalar::Float(_), Scalar::Bool) => CastKind::FloatToBool,
            (Scalar::Float(_), Scalar::Int { .. }) => CastKind::FloatToInt,
            (Scalar::Float(_), Scalar::Float(_)) => CastKind::FloatToFloat,
            (Scalar::Pointer, Scalar::Bool) => CastKind::PointerToBool,
            (Scalar::Pointer, Scalar::Int { .. }) if to == width => CastKind::PointerToInt,
            (Scalar::Pointer, Scalar::Int { .. }) => {
                let int = self.cast(value, width);
                return self.cast(int, to);
            }
            (Scalar::Pointer, Scalar::Pointer) => CastKind::PointerToPointer,
            (_, Scalar::Pointer) if from == width => CastKind::IntToPointer,
            // Floats never get here: no context that converts them to pointers is allowed.
            (_, Scalar::Pointer) => {
                let int = self.cast(value, width);
                return self.cast(int, to);
            }
            (Scalar::Pointer, Scalar::Float(_)) => {
                return self.fail(span, format!("cannot convert {} to {}", self.quoted(from), self.quoted(to)));
            }
        };
        self.value(ExprKind::Cast(kind, value), to, span)
    }

    /// The truth value that an integer was made from, if it says no more than that.
    fn truth_inside(&mut self, value: ExprId) -> Option<ExprId> {
        let mut at = value;
        loop {
            match self.tables[at].kind {
                ExprKind::Cast(CastKind::BoolToInt, truth) => return Some(truth),
                // A wider integer is zero exactly when the narrower one was.
                ExprKind::Cast(CastKind::IntToInt, inner)
                    if self.int_shape(self.ty(inner))?.width <= self.int_shape(self.ty(at))?.width =>
                {
                    at = inner;
                }
                _ => return None,
            }
        }
    }

    /// The constant that a converted constant is.
    fn fold_cast(&self, value: ExprId, source: Scalar, target: Scalar) -> Option<ExprKind> {
        match (&self.tables[value].kind, source, target) {
            (ExprKind::Int(value), _, Scalar::Bool) => Some(ExprKind::Int(i128::from(*value != 0))),
            (ExprKind::Int(value), _, Scalar::Int { width, signed }) => {
                Some(ExprKind::Int(IntShape { width, signed }.wrap(*value)))
            }
            (ExprKind::Int(value), _, Scalar::Float(format)) => {
                let is_unsigned = matches!(source, Scalar::Int { signed: false, .. });
                Some(ExprKind::Float(float::from_int(format, *value, is_unsigned)))
            }
            (ExprKind::Int(0), _, Scalar::Pointer) | (ExprKind::Null, _, Scalar::Pointer) => Some(ExprKind::Null),
            (ExprKind::Null, _, Scalar::Int { .. } | Scalar::Bool) => Some(ExprKind::Int(0)),
            (ExprKind::Float(bits), Scalar::Float(from), Scalar::Float(to)) => {
                Some(ExprKind::Float(float::convert(from, *bits, to)))
            }
            (ExprKind::Float(bits), Scalar::Float(from), Scalar::Bool) => {
                Some(ExprKind::Int(i128::from(!float::is_zero(from, *bits))))
            }
            (ExprKind::Float(bits), Scalar::Float(from), Scalar::Int { width, signed }) => {
                let (value, in_range) = float::to_int(from, *bits, width, signed);
                in_range.then_some(ExprKind::Int(value))
            }
            _ => None,
        }
    }

    /// The value as a truth value: whether it is not zero.
    pub(super) fn truth(&mut self, value: ExprId) -> ExprId {
        let ty = self.ty(value);
        if !self.types.is_scalar(ty) && !ty.is_error() && self.types.unsupported(ty).is_none() {
            let span = self.span(value);
            return self.fail(span, format!("a value of type {} is neither true nor false", self.quoted(ty)));
        }
        self.cast(value, Ty::BOOL)
    }

    /// A truth value as C's operators give it: an `int`.
    pub(super) fn truth_as_int(&mut self, truth: ExprId) -> ExprId {
        self.cast(truth, Ty::INT)
    }

    /// The width of the bit-field that a value was just read from or stored to.
    fn bit_field_width(&self, value: ExprId) -> Option<u32> {
        match self.tables[value].kind {
            ExprKind::Load(place) | ExprKind::Assign { place, .. } | ExprKind::Update { place, .. } => {
                self.bit_field(place)
            }
            ExprKind::Current => self.updating.and_then(|place| self.bit_field(place)),
            ExprKind::Comma(_, last) => self.bit_field_width(last),
            _ => None,
        }
    }

    /// The width of a place that is a bit-field.
    pub(super) fn bit_field(&self, place: PlaceId) -> Option<u32> {
        match self.tables[place].kind {
            PlaceKind::Field { record, field, .. } => {
                self.types[record].layout.as_ref()?.fields.get(field as usize)?.bits.map(|bits| bits.width)
            }
            _ => None,
        }
    }

    /// The value after the integer promotions.
    pub(super) fn promote(&mut self, value: ExprId) -> ExprId {
        let ty = self.ty(value);
        let promoted = match self.bit_field_width(value) {
            Some(width) => self.types.promoted_bit_field(ty, width),
            None => self.types.promoted(ty),
        };
        self.cast(value, promoted)
    }

    /// An argument that no prototype says the type of.
    pub(super) fn promote_argument(&mut self, value: ExprId) -> ExprId {
        let value = self.promote(value);
        let promoted = self.types.promoted_argument(self.ty(value));
        self.cast(value, promoted)
    }

    /// Two arithmetic operands in the type in which they are combined.
    pub(super) fn usual_conversions(&mut self, left: ExprId, right: ExprId) -> (ExprId, ExprId, Ty) {
        let (left, right) = (self.promote(left), self.promote(right));
        let ty = self.types.usual_arithmetic(self.ty(left), self.ty(right));
        (self.cast(left, ty), self.cast(right, ty), ty)
    }

    /// The value as one that can be stored in an object of the type, or an error where gcc sees one.
    pub(super) fn convert(&mut self, value: ExprId, to: Ty, purpose: Purpose) -> ExprId {
        let from = self.ty(value);
        let span = self.span(value);
        if from.is_error() || to.is_error() {
            return self.wrong(span);
        }
        if from.is_void() {
            return self.fail(span, "this has no value: its type is `void`");
        }
        let types = &self.types;
        let to_pointer = types.is_pointer(to);
        let allowed = if types.unsupported(from).is_some() || types.unsupported(to).is_some() {
            !types.is_record(from) && !types.is_record(to)
        } else if types.is_record(to) {
            types.compatible_unqualified(from, to)
        } else if types.is_pointer(from) {
            to_pointer || types.is_integer(to)
        } else if to_pointer {
            types.is_integer(from)
        } else {
            types.is_arithmetic(from) && types.is_arithmetic(to)
        };
        if !allowed {
            self.incompatible(from, to, span, purpose);
            return self.wrong(span);
        }
        if self.types.is_record(to) { value } else { self.cast(value, to) }
    }

    fn incompatible(&mut self, from: Ty, to: Ty, span: Span, purpose: Purpose) {
        let (from, to) = (self.quoted(from), self.quoted(to));
        let message = match purpose {
            Purpose::Assign => format!("a value of type {from} cannot be assigned to an object of type {to}"),
            Purpose::Initialise => format!("a value of type {from} cannot initialise an object of type {to}"),
            Purpose::Return => format!("a value of type {from} cannot be returned by a function that returns {to}"),
            Purpose::Argument(number, Some(name)) => {
                format!("argument {number} of `{name}` has type {from}, but the parameter has type {to}")
            }
            Purpose::Argument(number, None) => {
                format!("argument {number} has type {from}, but the parameter has type {to}")
            }
        };
        self.report(Diagnostic::error(span, message));
    }
}
