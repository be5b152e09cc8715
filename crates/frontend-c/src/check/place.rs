//! Places: members, addresses, and whether a place may be written.

use super::Checker;
use super::expr::Operand;
use crate::hir::{ExprId, ExprKind, PlaceId, PlaceKind};
use crate::syntax;
use crate::types::{RecordId, Ty};
use source::{Diagnostic, Span, Symbol};

impl Checker<'_> {
    /// `base.name`, or `base->name`.
    pub(super) fn member(&mut self, base: syntax::ExprId, name: Symbol, is_arrow: bool, span: Span) -> Operand {
        let mut operand = self.expr(base);
        if is_arrow {
            let pointer = self.read(operand);
            operand = self.deref(pointer, self.span(pointer));
        }
        let ty = self.operand_type(operand);
        if ty.is_error() {
            return Operand::Value(self.wrong(span));
        }
        let Some(record) = self.types.record(ty) else {
            return Operand::Value(self.no_member(ty, name, span));
        };
        let place = match operand {
            Operand::Place(place) => place,
            operand => {
                let value = self.read(operand);
                self.materialise(value)
            }
        };
        match self.field_place(place, record, name, span) {
            Some(place) => Operand::Place(place),
            None => Operand::Value(self.no_member(ty, name, span)),
        }
    }

    fn no_member(&mut self, ty: Ty, name: Symbol, span: Span) -> ExprId {
        let shown = self.quoted(ty);
        let is_incomplete = self.types.is_record(ty) && !self.types.is_complete(ty);
        let message = if is_incomplete {
            format!("the type {shown} is incomplete here, so its member `{name}` is not known")
        } else if let Some(target) = self.types.pointee(ty).filter(|target| self.types.is_record(*target)) {
            format!("{shown} has no member `{name}`: it is a pointer to {}; use `->`", self.quoted(target))
        } else {
            format!("{shown} has no member `{name}`")
        };
        // The name is the end of the expression.
        let start = span.end.saturating_sub(name.as_str().len() as u32).max(span.start);
        let mut diagnostic = Diagnostic::error(Span::new(span.file, start, span.end), message);
        if let Some(record) = self.types.record(ty) {
            diagnostic = diagnostic.secondary(self.types[record].span, "the type is declared here");
        }
        self.report(diagnostic);
        self.wrong(span)
    }

    /// The place of a member, through anonymous members.
    pub(super) fn field_place(&mut self, base: PlaceId, record: RecordId, name: Symbol, span: Span) -> Option<PlaceId> {
        let mut place = base;
        let mut record = record;
        for field in self.types.find_field(record, name)? {
            let (ty, bits) = {
                let found = self.types[record].layout.as_ref()?.fields.get(field as usize)?;
                (found.ty, found.bits)
            };
            // A member of a qualified object is qualified, but that `restrict` is for pointers and an atomic record as a
            // whole is atomic, not its members.
            let outer = self.tables[place].ty.qualifiers();
            let outer = outer.without(crate::types::Qualifiers::RESTRICT | crate::types::Qualifiers::ATOMIC);
            debug_assert!(bits.is_none() || self.types.is_integer(ty));
            let ty_here = self.types.qualified(ty, outer);
            place = self.tables.place(PlaceKind::Field { base: place, record, field }, ty_here, span);
            if let Some(inner) = self.types.record(ty) {
                record = inner;
            }
        }
        Some(place)
    }

    /// `&operand`
    pub(super) fn address_of(&mut self, operand: syntax::ExprId, span: Span) -> ExprId {
        match self.expr(operand) {
            Operand::Value(value) if self.ty(value).is_error() => value,
            Operand::Value(value) if self.types.unsupported(self.ty(value)).is_some() => {
                let ty = self.ty(value);
                let pointer = self.types.pointer(ty);
                self.unsupported(self.types.unsupported(ty).unwrap_or("value".into()), pointer, span)
            }
            Operand::Value(_) => self.fail(span, "this is a value, not an object: it has no address"),
            Operand::Place(place) if self.bit_field(place).is_some() => self.fail(span, "a bit-field has no address"),
            Operand::Place(place) => {
                let address = self.address(place);
                self.tables.exprs[address.index()].span = span;
                address
            }
            operand => self.read(operand),
        }
    }

    /// GNU's `__real__` and `__imag__`.
    pub(super) fn part_of_complex(&mut self, op: syntax::UnaryOp, operand: syntax::ExprId, span: Span) -> Operand {
        let operand = self.expr(operand);
        let ty = self.operand_type(operand);
        if let Some(what) = self.types.unsupported(ty) {
            let pointer = self.types.pointer(Ty::DOUBLE);
            let pointer = self.unsupported(what, pointer, span);
            return self.deref(pointer, span);
        }
        if op == syntax::UnaryOp::Real {
            return operand;
        }
        // The imaginary part of a real number.
        let value = self.read(operand);
        let zero = self.int(0, Ty::INT, span);
        let ty = self.ty(value);
        let zero = self.cast(zero, ty);
        Operand::Value(self.value(ExprKind::Comma(value, zero), ty, span))
    }

    /// The operand as a place that may be written; `None` after an error.
    pub(super) fn writable(&mut self, operand: syntax::ExprId, span: Span) -> Option<PlaceId> {
        let place = match self.expr(operand) {
            Operand::Place(place) => place,
            Operand::Value(value) if self.ty(value).is_error() => return None,
            Operand::Value(value) if self.types.unsupported(self.ty(value)).is_some() => {
                // Something inside has no representation; neither has the object.
                let ty = self.ty(value);
                let pointer = self.types.pointer(ty);
                let pointer = self.unsupported(self.types.unsupported(ty)?, pointer, span);
                return Some(self.tables.place(PlaceKind::Deref(pointer), ty, span));
            }
            _ => {
                let span = self.unit[operand].span;
                self.report(Diagnostic::error(span, "this cannot be assigned to").label("a value, not an object"));
                return None;
            }
        };
        let ty = self.tables[place].ty;
        if ty.is_error() {
            return None;
        }
        if self.types.is_array(ty) {
            self.error(span, format!("an array cannot be assigned as a whole (its type is {})", self.quoted(ty)));
            return None;
        }
        if !self.types.is_complete(ty) {
            self.error(span, format!("the type {} is incomplete here", self.quoted(ty)));
            return None;
        }
        if self.is_read_only(ty) {
            let shown = self.quoted(ty);
            self.error(span, format!("this is read-only: its type is {shown}"));
            return None;
        }
        Some(place)
    }

    /// Whether objects of the type may not be changed as a whole: they are constant, or have a member that is.
    fn is_read_only(&self, ty: Ty) -> bool {
        if ty.is_const() {
            return true;
        }
        let Some(record) = self.types.record(ty) else {
            return self.types.element(ty).is_some_and(|element| self.is_read_only(element));
        };
        // Records cannot contain themselves, and are nested no deeper than the text defines them.
        syntax::deep(|| {
            let fields = self.types[record].layout.iter().flat_map(|layout| &layout.fields);
            fields.into_iter().any(|field| self.is_read_only(field.ty))
        })
    }
}
