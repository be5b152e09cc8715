//! Pointers: what they point to, elements, and arithmetic on them.

use super::Checker;
use super::expr::Operand;
use crate::hir::{BinaryOp, ExprId, ExprKind, PlaceId, PlaceKind, Scale};
use crate::syntax;
use crate::types::{ArrayLength, Ty, TypeKind};
use source::Span;

impl Checker<'_> {
    /// `*pointer`
    pub(super) fn deref(&mut self, pointer: ExprId, span: Span) -> Operand {
        let ty = self.ty(pointer);
        if ty.is_error() {
            return Operand::Value(self.wrong(span));
        }
        let Some(target) = self.types.pointee(ty) else {
            if let Some(what) = self.types.unsupported(ty) {
                return Operand::Value(self.unsupported(what, ty, span));
            }
            return Operand::Value(self.fail(span, format!("a value of type {} is not a pointer", self.quoted(ty))));
        };
        if self.types.is_function(target) {
            return Operand::Pointee(pointer);
        }
        // What is at the address of a known place is that place: no pointer is needed to reach it.
        match self.tables[pointer].kind {
            ExprKind::AddressOf(place) if self.tables[place].ty == target => return Operand::Place(place),
            ExprKind::AddressOf(array) if self.types.element(self.tables[array].ty) == Some(target) => {
                let index = self.int(0, self.types.ptrdiff_type(), span);
                return self.element(array, index, span);
            }
            ExprKind::PointerOffset { pointer: base, index, backwards: false, .. } => {
                if let ExprKind::AddressOf(array) = self.tables[base].kind
                    && self.types.element(self.tables[array].ty) == Some(target)
                {
                    return self.element(array, index, span);
                }
            }
            _ => {}
        }
        Operand::Place(self.tables.place(PlaceKind::Deref(pointer), target, span))
    }

    /// An element of the array at a place. The index is a `ptrdiff_t`.
    pub(super) fn element(&mut self, array: PlaceId, index: ExprId, span: Span) -> Operand {
        let element = self.types.element(self.tables[array].ty).unwrap_or(Ty::ERROR);
        let Some(scale) = self.scale(element, span) else { return Operand::Value(self.wrong(span)) };
        Operand::Place(self.tables.place(PlaceKind::Element { array, index, scale }, element, span))
    }

    /// `base[index]`
    pub(super) fn index(&mut self, base: syntax::ExprId, index: syntax::ExprId, span: Span) -> Operand {
        let (base, index) = (self.expr(base), self.expr(index));
        let (base, index) =
            if self.is_indexable(index) && !self.is_indexable(base) { (index, base) } else { (base, index) };
        let index = self.read(index);
        if self.ty(index).is_error() || self.operand_type(base).is_error() {
            return Operand::Value(self.wrong(span));
        }
        if !self.is_indexable(base) {
            if let Some(what) = self.types.unsupported(self.operand_type(base)) {
                return Operand::Value(self.unsupported(what, Ty::INT, span));
            }
            return Operand::Value(self.fail(span, "only arrays and pointers can be indexed"));
        }
        if !self.types.is_integer(self.ty(index)) {
            let ty = self.quoted(self.ty(index));
            return Operand::Value(self.fail(span, format!("an index is an integer, not a value of type {ty}")));
        }
        match base {
            Operand::Place(array) if self.types.is_array(self.tables[array].ty) => {
                let index = self.pointer_index(index);
                self.element(array, index, span)
            }
            _ => {
                let pointer = self.read(base);
                match self.offset(pointer, index, false, span) {
                    Some(moved) => self.deref(moved, span),
                    None => Operand::Value(self.wrong(span)),
                }
            }
        }
    }

    fn is_indexable(&self, operand: Operand) -> bool {
        let ty = self.operand_type(operand);
        self.types.is_array(ty) || self.types.is_pointer(ty)
    }

    /// An integer as the number of elements to move by.
    fn pointer_index(&mut self, index: ExprId) -> ExprId {
        let index = self.promote(index);
        let ty = self.types.ptrdiff_type();
        self.cast(index, ty)
    }

    /// How far apart elements of the type are. An error if nobody knows.
    fn scale(&mut self, element: Ty, span: Span) -> Option<Scale> {
        if element.is_void() || self.types.is_function(element) {
            return Some(Scale::Constant(1));
        }
        if let Some(size) = self.types.size(element) {
            return Some(Scale::Constant(size));
        }
        if self.types.is_variable_length(element) {
            return Some(Scale::Variable(self.size_of_variable_length(element, span)));
        }
        if !element.is_error() {
            self.error(span, format!("the size of {} is not known here", self.quoted(element)));
        }
        None
    }

    /// The size of a variable length array in bytes, from the lengths that its type has stored.
    pub(super) fn size_of_variable_length(&mut self, ty: Ty, span: Span) -> ExprId {
        let size_type = self.types.size_type();
        let TypeKind::Array { element, length } = *self.types.kind(ty) else {
            return match self.types.size(ty) {
                Some(size) => self.int(i128::from(size), size_type, span),
                None => self.fail(span, format!("the size of {} is not known here", self.quoted(ty))),
            };
        };
        let element = self.size_of_variable_length(element, span);
        let length = match length {
            ArrayLength::Known(length) => self.int(i128::from(length), size_type, span),
            ArrayLength::Variable(local) => {
                let place = self.tables.place(PlaceKind::Local(local), size_type, span);
                self.value(ExprKind::Load(place), size_type, span)
            }
            ArrayLength::Unknown | ArrayLength::Star => {
                self.unsupported("the size of an array of unspecified length", size_type, span)
            }
        };
        self.binary_node(BinaryOp::Mul, length, element, span)
    }

    /// The pointer moved by a number of elements; `None` after an error.
    pub(super) fn offset(&mut self, pointer: ExprId, index: ExprId, backwards: bool, span: Span) -> Option<ExprId> {
        let ty = self.ty(pointer);
        let scale = self.scale(self.types.pointee(ty)?, span)?;
        let index = self.pointer_index(index);
        Some(self.value(ExprKind::PointerOffset { pointer, index, scale, backwards }, ty, span))
    }

    /// `left + right` where one is a pointer; `None` if the other is no integer.
    pub(super) fn pointer_sum(&mut self, left: ExprId, right: ExprId, span: Span) -> Option<ExprId> {
        let (pointer, index) = if self.types.is_pointer(self.ty(left)) { (left, right) } else { (right, left) };
        if !self.types.is_integer(self.ty(index)) {
            return None;
        }
        Some(self.offset(pointer, index, false, span).unwrap_or_else(|| self.wrong(span)))
    }

    /// `left - right` where one is a pointer; `None` if that means nothing.
    pub(super) fn pointer_subtraction(&mut self, left: ExprId, right: ExprId, span: Span) -> Option<ExprId> {
        let element = self.types.pointee(self.ty(left))?;
        if self.types.is_integer(self.ty(right)) {
            return Some(self.offset(left, right, true, span).unwrap_or_else(|| self.wrong(span)));
        }
        let other = self.types.pointee(self.ty(right))?;
        if !(self.types.compatible_unqualified(element, other) || element.is_void() || other.is_void()) {
            return None;
        }
        let Some(scale) = self.scale(element, span) else { return Some(self.wrong(span)) };
        let ty = self.types.ptrdiff_type();
        Some(self.value(ExprKind::PointerDifference { left, right, scale }, ty, span))
    }
}
