//! First values of variables.

use super::place::{At, Lvalue};
use super::reach::In;
use super::storage::{Shape, stored_sort};
use super::value::Value;
use super::writer::Writer;
use crate::hir::{AddressBase, InitEntry, Initializer, StaticEntry, StaticValue};
use crate::types::{Bits, Scalar, Ty, Types};
use term::{Sort, SortKind, Term, build};

/// Zero, null or false of a stored sort.
pub(super) fn zero(sort: Sort) -> Term {
    match *sort.kind() {
        SortKind::Float(format) => build::fp(format, 0),
        SortKind::Pointer(width) => build::null(width),
        SortKind::BitVec(width) => build::bv(width, 0),
        _ => build::falsehood(),
    }
}

/// Whether scalars of the sizes given, at most one for each byte, fill an object.
fn covers(types: &Types, size: u64, entries: impl Iterator<Item = (Option<Bits>, Ty)>) -> bool {
    let mut sum = 0u64;
    for (bits, ty) in entries {
        match (bits, types.size(ty)) {
            // An x87 number leaves bytes of its type alone.
            (None, Some(size)) if !types.is_float(ty) || size <= 8 => sum = sum.saturating_add(size),
            _ => return false,
        }
    }
    sum >= size
}

impl Writer<'_, '_> {
    /// Gives a variable its first value.
    pub fn initialise(&mut self, lvalue: &Lvalue, init: &Initializer) {
        if let [entry] = &init.entries[..]
            && entry.offset == 0
            && entry.bits.is_none()
            && entry.ty.unqualified() == lvalue.ty.unqualified()
        {
            let target = self.variable_at(lvalue).filter(|_| !entry.ty.is_bool());
            let value = self.value_into(entry.value, target);
            self.set_span(self.body[entry.value].span);
            self.store(lvalue, value);
            return;
        }
        if init.zero {
            self.zero(lvalue, &init.entries);
        }
        for entry in &init.entries {
            let part = lvalue.part(entry.offset, entry.bits, entry.ty);
            let value = self.value(entry.value);
            self.set_span(self.body[entry.value].span);
            self.store(&part, value);
        }
    }

    /// Sets a variable to zero, except for what the entries are about if that is simple.
    fn zero(&mut self, lvalue: &Lvalue, entries: &[InitEntry]) {
        match &lvalue.at {
            At::Slots { .. } => {
                let scalars = entries.iter().filter(|entry| self.types.scalar(entry.ty).is_some());
                self.zero_others(lvalue, scalars.map(|entry| (entry.offset, entry.bits)));
            }
            At::Memory(pointer) => match self.types.size(lvalue.ty) {
                Some(size) => {
                    if !covers(self.types, size, entries.iter().map(|entry| (entry.bits, entry.ty))) {
                        self.fill_bytes(*pointer, build::bv(8, 0), self.offset(size));
                    }
                }
                None => {
                    let size = build::select(self.context.size_map(), build::pointer_object(*pointer));
                    self.fill_bytes(*pointer, build::bv(8, 0), size);
                }
            },
        }
    }

    /// Gives a variable with static storage what it starts with.
    pub fn initialise_static(&mut self, lvalue: &Lvalue, size: u64, entries: &[StaticEntry]) {
        match &lvalue.at {
            At::Slots { .. } => self.zero_others(lvalue, entries.iter().map(|entry| (entry.offset, entry.bits))),
            At::Memory(pointer) => {
                if !covers(self.types, size, entries.iter().map(|entry| (entry.bits, entry.ty))) {
                    self.fill_bytes(*pointer, build::bv(8, 0), self.offset(size));
                }
            }
        }
        for entry in entries {
            let part = lvalue.part(entry.offset, entry.bits, entry.ty);
            if let Some(value) = self.static_value(entry) {
                self.store(&part, Value::Scalar(value));
            }
        }
    }

    /// Sets those parts of a variable to zero that begin at none of the positions given.
    fn zero_others(&mut self, lvalue: &Lvalue, given: impl Iterator<Item = (u64, Option<Bits>)>) {
        let At::Slots { slots, offset } = &lvalue.at else { return };
        let given: Vec<Term> = given.filter_map(|(at, bits)| slots.find(offset + at, bits)).collect();
        let Some(own) = super::storage::leaves(self.types, lvalue.ty) else { return };
        let own = own.iter().filter_map(|leaf| slots.find(offset + leaf.offset, leaf.bits));
        let pairs = own.filter(|variable| !given.contains(variable)).map(|variable| (variable, zero(variable.sort())));
        self.code.assign_all(pairs.collect());
    }

    /// The value of an entry; nothing if it is not supported, and then control does not go on.
    fn static_value(&mut self, entry: &StaticEntry) -> Option<Term> {
        let Shape::Scalar(scalar) = Shape::of(self.types, entry.ty) else {
            self.unsupported("an initial value of an unexpected type");
            return None;
        };
        Some(match (&entry.value, scalar) {
            (StaticValue::Int(n), Scalar::Bool) => build::bool(*n != 0),
            (StaticValue::Int(n), Scalar::Int { width, .. }) => build::bv_signed(width, *n),
            (StaticValue::Int(n), Scalar::Pointer) => {
                build::pointer(build::bv(term::OBJECT_WIDTH, 0), build::bv_signed(self.width(), *n))
            }
            (StaticValue::Float(bits), Scalar::Float(format)) => build::fp(format, *bits),
            (StaticValue::Address { base, offset }, _) => {
                let pointer = self.static_address(*base, *offset)?;
                let sort = stored_sort(scalar, self.context.model);
                match self.reinterpret(pointer, false, sort) {
                    Some(value) => value,
                    None => {
                        self.unsupported("an address in a type of another size");
                        return None;
                    }
                }
            }
            (StaticValue::Unsupported { what, span }, _) => {
                self.set_span(*span);
                self.unsupported(*what);
                return None;
            }
            _ => {
                self.unsupported("an initial value of an unexpected type");
                return None;
            }
        })
    }

    fn static_address(&mut self, base: AddressBase, offset: i64) -> Option<Term> {
        let unit = self.unit;
        let pointer = match base {
            AddressBase::Global(id) => match self.context.global(In { unit, id }) {
                Some(super::storage::Storage::Memory(pointer)) => Some(pointer),
                _ => None,
            },
            AddressBase::Function(id) => {
                let function = self.context.link.definition(In { unit, id });
                self.context.function_object(function).map(|object| self.context.static_pointer(object))
            }
            AddressBase::String(id) => self.context.string(In { unit, id }),
        };
        if pointer.is_none() {
            self.unsupported("an address that is not known");
        }
        pointer.map(|pointer| super::pointer::add(pointer, build::bv_signed(self.width(), i128::from(offset))))
    }
}
