//! First values of variables.

use super::link::In;
use super::place::{At, Lvalue};
use super::storage::{Leaf, Shape, leaf_sort, leaves, stored_sort};
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

/// With more parts to be set to zero than this, all bytes are.
const MOST_ZEROS: usize = 4;

/// What an entry of an initialiser is about.
struct Given {
    offset: u64,
    bits: Option<Bits>,
    ty: Ty,
}

impl Given {
    fn covers(&self, types: &Types, leaf: &Leaf) -> bool {
        let end = self.offset + types.size(self.ty).unwrap_or(0);
        match self.bits {
            Some(_) => self.offset == leaf.offset && self.bits == leaf.bits,
            None => (self.offset..end).contains(&leaf.offset),
        }
    }
}

/// Whether bit-fields are given: storing them reads the bits around them.
fn has_fields(given: &[Given]) -> bool {
    given.iter().any(|given| given.bits.is_some())
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
            let given = |entry: &InitEntry| Given { offset: entry.offset, bits: entry.bits, ty: entry.ty };
            let given: Vec<Given> = init.entries.iter().map(given).collect();
            self.zero_others(lvalue, self.types.size(lvalue.ty), &given);
        }
        for entry in &init.entries {
            let part = lvalue.part(entry.offset, entry.bits, entry.ty);
            let value = self.value(entry.value);
            self.set_span(self.body[entry.value].span);
            self.store(&part, value);
        }
    }

    /// Gives a variable with static storage what it starts with.
    pub fn initialise_static(&mut self, lvalue: &Lvalue, size: u64, entries: &[StaticEntry]) {
        let given = entries.iter().map(|entry| Given { offset: entry.offset, bits: entry.bits, ty: entry.ty });
        self.zero_others(lvalue, Some(size), &given.collect::<Vec<_>>());
        for entry in entries {
            let part = lvalue.part(entry.offset, entry.bits, entry.ty);
            if let Some(value) = self.static_value(entry) {
                self.store(&part, Value::Scalar(value));
            }
        }
    }

    /// Sets those parts of a variable to zero that are not given, and others if that is simpler. The size of a variable
    /// length array is not known.
    fn zero_others(&mut self, lvalue: &Lvalue, size: Option<u64>, given: &[Given]) {
        let own = leaves(self.types, lvalue.ty);
        // A flexible array makes an object longer than its type.
        let own = own.filter(|_| size == self.types.size(lvalue.ty));
        let others = own.map(|own| {
            let others = own.iter().filter(|leaf| !given.iter().any(|given| given.covers(self.types, leaf)));
            others.cloned().collect::<Vec<Leaf>>()
        });
        match (&lvalue.at, others) {
            (At::Slots { slots, offset }, Some(others)) => {
                let variables = others.iter().filter_map(|leaf| slots.find(offset + leaf.offset, leaf.bits));
                self.code.assign_all(variables.map(|variable| (variable, zero(variable.sort()))).collect());
            }
            (At::Memory(pointer), Some(others))
                if others.len() <= MOST_ZEROS
                    && others.iter().all(|leaf| leaf.bits.is_none())
                    && !has_fields(given) =>
            {
                for leaf in others {
                    let at = super::pointer::advance(*pointer, leaf.offset);
                    self.write(at, zero(leaf_sort(self.types, &leaf)));
                }
            }
            (At::Memory(pointer), _) => {
                let length = match size {
                    Some(size) => self.offset(size),
                    None => build::select(self.context.size_map(), build::pointer_object(*pointer)),
                };
                self.fill_bytes(*pointer, build::bv(8, 0), length);
            }
            (At::Slots { .. }, None) => self.unsupported("a variable that cannot be told apart"),
        }
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
                if let (Some(target), Ok(address)) = (self.types.pointee(entry.ty), u128::try_from(*n)) {
                    self.context.constant_address(address, target, self.types);
                }
                build::pointer(build::bv(term::OBJECT_WIDTH, 0), build::bv_signed(self.width(), *n))
            }
            (StaticValue::Float(bits), Scalar::Float(format)) => {
                let value = build::fp(format, *bits);
                self.check_static_nan(value);
                value
            }
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
                self.context.function_address(function)
            }
            AddressBase::String(id) => self.context.string(In { unit, id }),
        };
        if pointer.is_none() {
            self.unsupported("an address that is not known");
        }
        pointer.map(|pointer| super::pointer::add(pointer, build::bv_signed(self.width(), i128::from(offset))))
    }
}
