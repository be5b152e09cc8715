//! Reading and writing scalars.

use super::place::{At, Lvalue};
use super::storage::{Shape, from_field, from_stored, stored_sort, to_field, to_stored};
use super::value::Value;
use super::writer::Writer;
use crate::types::{Bits, Scalar};
use ir::Op;
use term::{Sort, Term, build};

/// Whether memory is read or written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Access {
    Read,
    Write,
}

impl Writer<'_, '_> {
    /// The value at a place.
    pub fn load(&mut self, lvalue: &Lvalue) -> Value {
        match Shape::of(self.types, lvalue.ty) {
            Shape::Nothing => Value::Void,
            Shape::Scalar(scalar) => Value::Scalar(self.load_scalar(lvalue, scalar)),
            Shape::Leaves(_) | Shape::Memory => Value::Record(self.load_record(lvalue)),
            Shape::Unsupported(what) => self.unsupported_value(what, lvalue.ty),
        }
    }

    /// Stores a value of the place's type.
    pub fn store(&mut self, lvalue: &Lvalue, value: Value) {
        match (Shape::of(self.types, lvalue.ty), value) {
            (Shape::Scalar(scalar), Value::Scalar(value)) => self.store_scalar(lvalue, scalar, value),
            (Shape::Leaves(_) | Shape::Memory, Value::Record(value)) => self.store_record(lvalue, value),
            (Shape::Unsupported(what), _) => self.unsupported(what),
            _ => self.unsupported("a value of an unexpected type"),
        }
    }

    fn load_scalar(&mut self, lvalue: &Lvalue, scalar: Scalar) -> Term {
        let stored = match &lvalue.at {
            At::Slots { slots, offset } => match slots.find(*offset, lvalue.bits) {
                Some(variable) => {
                    self.check_variable(variable);
                    self.read_variable(variable)
                }
                None => return self.no_leaf(scalar),
            },
            At::Memory(pointer) => {
                let stored = stored_sort(scalar, self.context.model);
                let sort = lvalue.bits.map_or(stored, |bits| Sort::bv(bits.width));
                let read = |writer: &mut Self| writer.read_memory(lvalue, *pointer, sort);
                match self.read_place(lvalue, *pointer, sort, read) {
                    Some(stored) => stored,
                    None => return self.no_leaf(scalar),
                }
            }
        };
        let value = if lvalue.bits.is_some() { from_field(scalar, stored) } else { from_stored(scalar, stored) };
        let expected = super::storage::value_sort(scalar, self.context.model);
        self.expect(Value::Scalar(value), expected)
    }

    /// What memory holds for a scalar place; nothing for a bit-field that cannot be read.
    fn read_memory(&mut self, lvalue: &Lvalue, pointer: Term, sort: Sort) -> Option<Term> {
        self.check_access(lvalue, Access::Read);
        let (skipped, size) = lvalue.bits.map_or((0, sort.bytes().unwrap_or(1)), |bits| bits.bytes());
        self.check_memory(super::pointer::advance(pointer, u64::from(skipped)), self.offset(u64::from(size)));
        match lvalue.bits {
            Some(bits) => {
                let unit = self.read_unit(pointer, bits)?;
                Some(build::extract(bits.shift + bits.width - 1, bits.shift, unit))
            }
            None => Some(self.read(sort, pointer)),
        }
    }

    fn no_leaf(&mut self, scalar: Scalar) -> Term {
        self.unsupported("a part of a variable that cannot be told apart");
        self.code.arbitrary(super::storage::value_sort(scalar, self.context.model))
    }

    fn store_scalar(&mut self, lvalue: &Lvalue, scalar: Scalar, value: Term) {
        let stored = match lvalue.bits {
            Some(bits) => to_field(value, bits.width),
            None => to_stored(value),
        };
        match &lvalue.at {
            At::Slots { slots, offset } => match slots.find(*offset, lvalue.bits) {
                Some(variable) if variable.sort() == stored.sort() => {
                    self.code.assign(variable, stored);
                    self.variable_written(variable);
                }
                _ => {
                    self.no_leaf(scalar);
                }
            },
            At::Memory(pointer) => self.write_place(lvalue, *pointer, |writer| {
                writer.check_access(lvalue, Access::Write);
                match lvalue.bits {
                    Some(bits) => writer.write_field(*pointer, bits, stored),
                    None => writer.write(*pointer, stored),
                }
            }),
        }
    }

    /// What the place holds after the value was stored there.
    pub fn as_stored(&self, lvalue: &Lvalue, value: Term) -> Term {
        match (lvalue.bits, self.types.scalar(lvalue.ty)) {
            (Some(bits), Some(scalar)) => from_field(scalar, to_field(value, bits.width)),
            _ => value,
        }
    }

    /// The variable that a scalar place is kept in.
    pub fn variable_at(&self, lvalue: &Lvalue) -> Option<Term> {
        match &lvalue.at {
            At::Slots { slots, offset } => slots.find(*offset, lvalue.bits),
            At::Memory(_) => None,
        }
    }

    /// The value of a variable. What threads share is read by a step of its own.
    pub fn read_variable(&mut self, variable: Term) -> Term {
        if self.is_interruptible() && self.context.is_shared(variable) { self.code.keep(variable) } else { variable }
    }

    /// What memory holds at a pointer.
    pub fn read(&mut self, sort: Sort, pointer: Term) -> Term {
        let loaded = build::load(sort, self.context.memory(), pointer);
        if self.is_interruptible() { self.code.keep(loaded) } else { loaded }
    }

    /// Puts a stored value into memory.
    pub fn write(&mut self, pointer: Term, stored: Term) {
        let size = stored.sort().bytes().map_or(1, u64::from);
        self.put_stored(pointer, stored);
        self.memory_written(pointer, self.offset(size));
    }

    /// Puts a stored value into memory of which is known elsewhere whether it is written.
    pub fn put_stored(&mut self, pointer: Term, stored: Term) {
        self.put_float(pointer, stored, Self::put_bytes);
    }

    fn put_bytes(&mut self, pointer: Term, stored: Term) {
        let memory = self.context.memory();
        self.code.emit(Op::assign(memory, build::mem_store(memory, pointer, stored)));
    }

    /// The bytes that a bit-field lies in.
    pub fn read_unit(&mut self, pointer: Term, bits: Bits) -> Option<Term> {
        let width = bits.unit * 8;
        let fits = width <= term::MAX_WIDTH && bits.width > 0 && bits.shift + bits.width <= width;
        fits.then(|| self.read(Sort::bv(width), pointer))
    }

    /// Changes the bits of a field in its unit.
    pub fn write_field(&mut self, pointer: Term, bits: Bits, field: Term) {
        let Some(unit) = self.read_unit(pointer, bits) else {
            self.unsupported("a bit-field of more than 128 bits");
            return;
        };
        let (end, width) = (bits.shift + bits.width, bits.unit * 8);
        let mut changed = field;
        if bits.shift > 0 {
            changed = build::concat(changed, build::extract(bits.shift - 1, 0, unit));
        }
        if end < width {
            changed = build::concat(build::extract(width - 1, end, unit), changed);
        }
        // Of the other fields in the unit nothing is known.
        self.put_bytes(pointer, changed);
        let (skipped, size) = bits.bytes();
        let (at, size) = (super::pointer::advance(pointer, u64::from(skipped)), self.offset(u64::from(size)));
        match bits.shift.is_multiple_of(8) && bits.width.is_multiple_of(8) {
            true => self.memory_written(at, size),
            false => self.memory_touched(at, size),
        }
    }
}
