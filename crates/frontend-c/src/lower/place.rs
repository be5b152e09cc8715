//! Places: where the values of C's lvalues are.

use super::link::In;
use super::storage::{Slots, Storage};
use super::writer::Writer;
use crate::hir::{ExprId, PlaceId, PlaceKind, Scale};
use crate::syntax::deep;
use crate::types::{ArrayLength, Bits, Ty, TypeKind};
use std::rc::Rc;
use term::{Term, build};

/// Where a value is.
#[derive(Clone, Debug)]
pub(super) enum At {
    /// In variables: the part of an object that begins at an offset, in bytes.
    Slots { slots: Rc<Slots>, offset: u64 },
    /// In memory.
    Memory(Term),
}

/// A place that has been evaluated.
#[derive(Clone, Debug)]
pub(super) struct Lvalue {
    pub at: At,
    pub bits: Option<Bits>,
    pub ty: Ty,
    /// It certainly lies in an object that lives.
    pub is_known: bool,
}

/// What a place is evaluated for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Use {
    Access,
    Address,
}

impl Lvalue {
    /// A place in memory of which nothing is known.
    pub fn memory(pointer: Term, ty: Ty) -> Lvalue {
        Lvalue { at: At::Memory(pointer), bits: None, ty, is_known: false }
    }

    /// A whole object.
    pub fn of(storage: Storage, ty: Ty) -> Lvalue {
        let at = match storage {
            Storage::Variables(slots) => At::Slots { slots, offset: 0 },
            Storage::Memory(pointer) => At::Memory(pointer),
        };
        Lvalue { at, bits: None, ty, is_known: true }
    }

    /// A part that begins after so many bytes.
    pub fn part(&self, offset: u64, bits: Option<Bits>, ty: Ty) -> Lvalue {
        let at = match &self.at {
            At::Slots { slots, offset: start } => At::Slots { slots: Rc::clone(slots), offset: start + offset },
            At::Memory(pointer) => At::Memory(super::pointer::advance(*pointer, offset)),
        };
        Lvalue { at, bits, ty, is_known: self.is_known }
    }
}

impl Writer<'_, '_> {
    /// Evaluates a place.
    pub fn place(&mut self, place: PlaceId, usage: Use) -> Lvalue {
        deep(|| self.evaluate_place(place, usage))
    }

    fn evaluate_place(&mut self, id: PlaceId, usage: Use) -> Lvalue {
        let node = &self.body[id];
        match &node.kind {
            PlaceKind::Local(local) => Lvalue::of(self.local(*local), node.ty),
            PlaceKind::Global(global) => match self.context.global(In { unit: self.unit, id: *global }) {
                Some(storage) => {
                    let is_weak = matches!(&storage, Storage::Memory(pointer) if self.context.is_weak(*pointer));
                    let lvalue = Lvalue::of(storage, node.ty);
                    Lvalue { is_known: lvalue.is_known && !is_weak, ..lvalue }
                }
                None => self.no_place(node.ty),
            },
            PlaceKind::String(string) => match self.context.string(In { unit: self.unit, id: *string }) {
                Some(pointer) => Lvalue { is_known: true, ..Lvalue::memory(pointer, node.ty) },
                None => self.no_place(node.ty),
            },
            PlaceKind::Deref(pointer) => {
                let pointer = self.scalar(*pointer);
                let pointer = self.expect(super::value::Value::Scalar(pointer), self.pointer_sort());
                Lvalue::memory(pointer, node.ty)
            }
            PlaceKind::Field { base, record, field } => {
                let base = self.place(*base, usage);
                let layout = self.types[*record].layout.as_ref();
                match layout.and_then(|layout| layout.fields.get(*field as usize)) {
                    Some(field) => base.part(field.offset, field.bits, node.ty),
                    None => self.no_place(node.ty),
                }
            }
            PlaceKind::Element { array, index, scale } => self.element(*array, *index, *scale, node.ty, usage),
            PlaceKind::Initialised { local, init } => {
                let lvalue = self.begin_local(*local, None);
                self.initialise(&lvalue, init);
                lvalue
            }
        }
    }

    /// A place where control never comes.
    fn no_place(&mut self, ty: Ty) -> Lvalue {
        self.unsupported("a place that is not known");
        Lvalue::memory(build::null(self.width()), ty)
    }

    fn element(&mut self, array: PlaceId, index: ExprId, scale: Scale, ty: Ty, usage: Use) -> Lvalue {
        let base = self.place(array, usage);
        let later = self.effects(index);
        let base = self.protect_lvalue(base, &later);
        let position = self.scalar(index);
        let length = match *self.types.kind(self.body[array].ty) {
            TypeKind::Array { length: ArrayLength::Known(length), .. } => Some(length),
            _ => None,
        };
        let in_bounds = position.as_bv().zip(length).is_some_and(|(i, length)| i.unsigned() < u128::from(length));
        if usage == Use::Access && !in_bounds {
            self.check_index(position, length);
        }
        let lvalue = match (&base.at, scale) {
            (At::Slots { .. }, Scale::Constant(size)) if in_bounds => {
                let position = position.as_bv().map_or(0, |i| i.unsigned() as u64);
                base.part(position * size, None, ty)
            }
            (At::Slots { .. }, _) => return self.no_place(ty),
            (At::Memory(pointer), _) => {
                let distance = self.scaled(position, scale);
                Lvalue {
                    at: At::Memory(super::pointer::add(*pointer, distance)),
                    bits: None,
                    ty,
                    is_known: base.is_known,
                }
            }
        };
        Lvalue { is_known: lvalue.is_known && in_bounds, ..lvalue }
    }

    /// An index as a number of bytes.
    pub fn scaled(&mut self, index: Term, scale: Scale) -> Term {
        let size = match scale {
            Scale::Constant(size) => self.offset(size),
            Scale::Variable(size) => self.scalar(size),
        };
        build::bv_mul(index, size)
    }

    /// The address of a place.
    pub fn address(&mut self, lvalue: &Lvalue) -> Term {
        match lvalue.at {
            At::Memory(pointer) => pointer,
            At::Slots { .. } => {
                self.unsupported("the address of a variable that is kept outside of memory");
                build::null(self.width())
            }
        }
    }

    /// The place as it is now, whatever is evaluated later.
    pub fn protect_lvalue(&mut self, lvalue: Lvalue, later: &super::effects::Effects) -> Lvalue {
        match lvalue.at {
            At::Memory(pointer) => Lvalue { at: At::Memory(self.protect(pointer, later)), ..lvalue },
            At::Slots { .. } => lvalue,
        }
    }
}
