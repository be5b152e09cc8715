//! Assignments, increments and explicit casts.

use super::Checker;
use super::convert::Purpose;
use crate::hir::{ExprId, ExprKind, InitEntry, Initializer, PlaceId, PlaceKind, Yields};
use crate::syntax::{self, BinaryOp};
use crate::types::{RecordKind, Ty};
use source::Span;

impl Checker<'_> {
    /// `target = value`
    pub(super) fn assign(&mut self, target: syntax::ExprId, value: syntax::ExprId, span: Span) -> ExprId {
        let place = self.writable(target, span);
        let value = self.rvalue(value);
        let Some(place) = place else { return self.wrong(span) };
        self.store(place, value, span)
    }

    /// Stores a value, converted as by assignment.
    pub(super) fn store(&mut self, place: PlaceId, value: ExprId, span: Span) -> ExprId {
        let ty = self.tables[place].ty;
        let value = self.convert(value, ty, Purpose::Assign);
        if self.ty(value).is_error() {
            return self.wrong(span);
        }
        self.value(ExprKind::Assign { place, value }, ty, span)
    }

    /// `target op= value`
    pub(super) fn compound_assign(
        &mut self,
        op: BinaryOp,
        target: syntax::ExprId,
        value: syntax::ExprId,
        span: Span,
    ) -> ExprId {
        let place = self.writable(target, span);
        let value = self.rvalue(value);
        let Some(place) = place else { return self.wrong(span) };
        self.update(place, op, value, Yields::After, span)
    }

    /// `++` and `--`
    pub(super) fn increment(&mut self, target: syntax::ExprId, op: BinaryOp, yields: Yields, span: Span) -> ExprId {
        let Some(place) = self.writable(target, span) else { return self.wrong(span) };
        let ty = self.tables[place].ty;
        if !self.types.is_scalar(ty) && self.types.unsupported(ty).is_none() {
            return self.fail(span, format!("a value of type {} cannot be counted up or down", self.quoted(ty)));
        }
        let one = self.int(1, Ty::INT, span);
        self.update(place, op, one, yields, span)
    }

    fn update(&mut self, place: PlaceId, op: BinaryOp, operand: ExprId, yields: Yields, span: Span) -> ExprId {
        let ty = self.tables[place].ty;
        let current = self.value(ExprKind::Current, ty, span);
        let outer = self.updating.replace(place);
        let value = self.operate(op, current, operand, span);
        self.updating = outer;
        let value = self.convert(value, ty, Purpose::Assign);
        if self.ty(value).is_error() {
            return self.wrong(span);
        }
        self.value(ExprKind::Update { place, value, yields }, ty, span)
    }

    /// `(type) operand`
    pub(super) fn explicit_cast(&mut self, ty: syntax::TypeNameId, operand: syntax::ExprId, span: Span) -> ExprId {
        let (to, effects) = self.type_name_with_effects(ty);
        let value = self.rvalue(operand);
        let value = self.cast_to(value, to, span);
        self.after_effects(effects, value)
    }

    fn cast_to(&mut self, value: ExprId, to: Ty, span: Span) -> ExprId {
        let from = self.ty(value);
        if from.is_error() || to.is_error() {
            return self.wrong(span);
        }
        let types = &self.types;
        let is_value = |ty: Ty| types.is_scalar(ty) || types.unsupported(ty).is_some();
        let mixes_pointer_and_float = (types.is_pointer(to) && types.is_float(from))
            || (types.is_pointer(from) && types.is_float(to))
            || (types.is_pointer(to) && types.unsupported(from).is_some());
        if to.is_void() || (is_value(from) && is_value(to) && !mixes_pointer_and_float && types.is_complete(to)) {
            let cast = self.cast(value, to);
            if cast != value {
                self.tables.exprs[cast.index()].span = span;
            }
            return cast;
        }
        if types.is_record(to) && types.compatible_unqualified(from, to) {
            return value;
        }
        if let Some(converted) = self.cast_to_union(value, to, span) {
            return converted;
        }
        self.fail(span, format!("a value of type {} cannot be cast to {}", self.quoted(from), self.quoted(to)))
    }

    /// GNU's cast of a value to a union with a member of its type. It also makes arguments for transparent unions.
    pub(super) fn cast_to_union(&mut self, value: ExprId, to: Ty, span: Span) -> Option<ExprId> {
        let record = &self.types[self.types.record(to)?];
        if record.kind != RecordKind::Union {
            return None;
        }
        let from = self.ty(value);
        let fields = &record.layout.as_ref()?.fields;
        let field = fields.iter().find(|field| self.types.compatible_unqualified(field.ty, from))?;
        let entry = InitEntry { offset: field.offset, bits: field.bits, ty: field.ty.unqualified(), value };
        let ty = self.types.plain(to);
        let local = self.tables.temporary(ty, span);
        let init = Initializer { zero: true, entries: vec![entry] };
        let place = self.tables.place(PlaceKind::Initialised { local, init }, ty, span);
        Some(self.value(ExprKind::Load(place), ty, span))
    }

    /// The value, after what computes the lengths of variable length arrays.
    pub(super) fn after_effects(&mut self, effects: Vec<ExprId>, value: ExprId) -> ExprId {
        effects.into_iter().rev().fold(value, |value, effect| {
            let (ty, span) = (self.ty(value), self.span(value));
            self.value(ExprKind::Comma(effect, value), ty, span)
        })
    }
}
