//! Reading, writing and copying structs and unions.

use super::access::Access;
use super::alloc::Made;
use super::place::{At, Lvalue};
use super::pointer::advance;
use super::storage::{Leaf, Shape, leaf_sort, leaves};
use super::value::{RecordValue, Typed, Value};
use super::writer::Writer;
use crate::types::Ty;

use std::rc::Rc;
use term::{Term, build};

/// Records with more scalars than this are copied as bytes.
const MOST_COPIED_LEAVES: usize = 16;

impl Writer<'_, '_> {
    /// The value of a record at a place.
    pub fn load_record(&mut self, lvalue: &Lvalue) -> RecordValue {
        match &lvalue.at {
            At::Slots { slots, offset } => {
                let Some(own) = leaves(self.types, lvalue.ty) else { return self.no_record() };
                let variables: Option<Vec<Term>> =
                    own.iter().map(|leaf| slots.find(offset + leaf.offset, leaf.bits)).collect();
                let Some(variables) = variables else { return self.no_record() };
                self.require_record(&variables);
                RecordValue::Leaves(variables.into_iter().map(|variable| self.read_variable(variable)).collect())
            }
            At::Memory(pointer) => {
                let pointer = self.record_at(lvalue, *pointer);
                self.check_access(&Lvalue { at: At::Memory(pointer), ..lvalue.clone() }, Access::Read);
                RecordValue::Memory(pointer)
            }
        }
    }

    fn no_record(&mut self) -> RecordValue {
        self.unsupported("a part of a variable that cannot be told apart");
        RecordValue::Memory(build::null(self.width()))
    }

    /// Stores a record.
    pub fn store_record(&mut self, lvalue: &Lvalue, value: RecordValue) {
        match (&lvalue.at, value) {
            (At::Memory(to), value) => {
                let to = self.record_at(lvalue, *to);
                self.check_access(&Lvalue { at: At::Memory(to), ..lvalue.clone() }, Access::Write);
                match value {
                    RecordValue::Memory(from) => self.copy(to, from, lvalue.ty),
                    RecordValue::Leaves(values) => self.write_leaves(to, lvalue.ty, values),
                }
            }
            (At::Slots { slots, offset }, value) => {
                let Some(own) = leaves(self.types, lvalue.ty) else {
                    self.no_record();
                    return;
                };
                let values = self.leaf_values(value, &own);
                let variables: Option<Vec<Term>> =
                    own.iter().map(|leaf| slots.find(offset + leaf.offset, leaf.bits)).collect();
                match variables {
                    Some(variables) if sorts_agree(&variables, &values) => {
                        self.assign_leaves(variables.clone(), values);
                        variables.into_iter().for_each(|variable| self.variable_written(variable));
                    }
                    _ => {
                        self.no_record();
                    }
                }
            }
        }
    }

    fn assign_leaves(&mut self, variables: Vec<Term>, values: Vec<Term>) {
        let shared = variables.iter().any(|variable| self.context.is_shared(*variable));
        let pairs: Vec<(Term, Term)> = variables.into_iter().zip(values).collect();
        if self.is_interruptible() && shared {
            pairs.into_iter().for_each(|(variable, value)| self.code.assign(variable, value));
        } else {
            self.code.assign_all(pairs);
        }
    }

    /// The stored leaves of a record's value.
    pub fn leaf_values(&mut self, value: RecordValue, leaves: &Rc<[Leaf]>) -> Vec<Term> {
        match value {
            RecordValue::Leaves(values) => values,
            RecordValue::Memory(from) => {
                for leaf in leaves.iter() {
                    let whole = || (0, leaf_sort(self.types, leaf).bytes().unwrap_or(1));
                    let (skipped, size) = leaf.bits.map_or_else(whole, |bits| bits.bytes());
                    let at = advance(from, leaf.offset + u64::from(skipped));
                    self.require_written(at, self.offset(u64::from(size)));
                }
                leaves.iter().map(|leaf| self.read_leaf(from, leaf)).collect()
            }
        }
    }

    /// The leaf of a record at a pointer, in stored form.
    fn read_leaf(&mut self, record: Term, leaf: &Leaf) -> Term {
        let at = advance(record, leaf.offset);
        let sort = leaf_sort(self.types, leaf);
        match leaf.bits {
            None => self.read(sort, at),
            Some(bits) => match self.read_unit(at, bits) {
                Some(unit) => build::extract(bits.shift + bits.width - 1, bits.shift, unit),
                None => {
                    self.unsupported("a bit-field of more than 128 bits");
                    self.code.arbitrary(sort)
                }
            },
        }
    }

    /// Writes the stored leaves of a record to memory.
    pub fn write_leaves(&mut self, to: Term, ty: Ty, values: Vec<Term>) {
        let Some(leaves) = leaves(self.types, ty).filter(|leaves| leaves.len() == values.len()) else {
            self.no_record();
            return;
        };
        let to = self.stable(to);
        if let Some(size) = self.types.size(ty) {
            self.memory_touched(to, self.offset(size));
        }
        for (leaf, value) in leaves.iter().zip(values) {
            let at = advance(to, leaf.offset);
            match leaf.bits {
                None => self.write(at, value),
                Some(bits) => self.write_field(at, bits, value),
            }
        }
    }

    /// Copies a record in memory: by its scalars if they are few, so that it can be seen where pointers go.
    fn copy(&mut self, to: Term, from: Term, ty: Ty) {
        if to == from {
            return;
        }
        if let Some(size) = self.types.size(ty) {
            self.memory_copied(to, from, self.offset(size));
        }
        let few = leaves(self.types, ty).filter(|leaves| leaves.len() <= MOST_COPIED_LEAVES);
        let is_float = |leaf: &Leaf| self.types.is_float(leaf.ty);
        let few = few.filter(|leaves| !self.context.sees_float_bits || !leaves.iter().any(is_float));
        match (few.filter(|leaves| leaves.iter().all(|leaf| leaf.bits.is_none())), self.types.size(ty)) {
            (Some(leaves), _) => {
                let (to, from) = (self.stable(to), self.stable(from));
                for leaf in leaves.iter() {
                    let value = self.read_leaf(from, leaf);
                    self.put_stored(advance(to, leaf.offset), value);
                }
            }
            (None, Some(size)) => self.move_bytes(to, from, self.offset(size)),
            (None, None) => self.unsupported("a copy of something whose size is not known"),
        }
    }

    /// A pointer that stays what it is while memory is written.
    pub fn stable(&mut self, pointer: Term) -> Term {
        if self.mentions_globals(pointer) { self.code.keep(pointer) } else { pointer }
    }

    /// Copies bytes in memory.
    pub fn copy_bytes(&mut self, to: Term, from: Term, length: Term) {
        self.memory_copied(to, from, length);
        self.move_bytes(to, from, length);
    }

    fn move_bytes(&mut self, to: Term, from: Term, length: Term) {
        let memory = self.context.memory();
        self.code.assign(memory, build::mem_copy(memory, to, from, length));
    }

    /// Sets bytes in memory.
    pub fn fill_bytes(&mut self, to: Term, byte: Term, length: Term) {
        let memory = self.context.memory();
        self.code.assign(memory, build::mem_fill(memory, to, byte, length));
        self.memory_written(to, length);
    }

    /// The value as it is now, whatever is evaluated later. Records in memory are not copied: C leaves open when
    /// an argument is read that another one changes.
    pub fn protect_value(&mut self, value: Value, later: &super::effects::Effects) -> Value {
        match value {
            Value::Void => Value::Void,
            Value::Scalar(term) => Value::Scalar(self.protect(term, later)),
            Value::Record(RecordValue::Memory(pointer)) => {
                Value::Record(RecordValue::Memory(self.protect(pointer, later)))
            }
            Value::Record(RecordValue::Leaves(terms)) => {
                let terms = terms.into_iter().map(|term| self.protect(term, later)).collect();
                Value::Record(RecordValue::Leaves(terms))
            }
        }
    }

    /// A variable, or several, to hold a value of the type that comes from different ways.
    pub fn join_target(&mut self, ty: Ty) -> Typed {
        let value = match Shape::of(self.types, ty) {
            Shape::Nothing | Shape::Unsupported(_) => Value::Void,
            Shape::Scalar(scalar) => {
                Value::Scalar(self.code.temporary(super::storage::value_sort(scalar, self.context.model)))
            }
            shape @ Shape::Leaves(_) => {
                let sorts = shape.sorts(self.types);
                Value::Record(RecordValue::Leaves(sorts.into_iter().map(|sort| self.code.temporary(sort)).collect()))
            }
            Shape::Memory => Value::Record(RecordValue::Memory(self.code.temporary(self.pointer_sort()))),
        };
        Typed { value, ty }
    }

    /// Puts a value into what [`Writer::join_target`] made.
    pub fn join(&mut self, target: &Typed, value: Value) {
        match (&target.value, value) {
            (Value::Void, _) => {}
            (Value::Scalar(variable), value) => {
                let value = self.expect(value, variable.sort());
                self.code.assign(*variable, value);
            }
            (Value::Record(RecordValue::Memory(variable)), Value::Record(RecordValue::Memory(pointer))) => {
                self.code.assign(*variable, pointer);
            }
            (Value::Record(RecordValue::Leaves(variables)), Value::Record(value)) => {
                let Some(leaves) = leaves(self.types, target.ty) else { return };
                let values = self.leaf_values(value, &leaves);
                if sorts_agree(variables, &values) {
                    self.code.assign_all(variables.iter().copied().zip(values).collect());
                } else {
                    self.no_record();
                }
            }
            _ => {
                self.no_record();
            }
        }
    }

    /// A new object that lives as long as the full expression.
    pub fn new_temporary_object(&mut self, size: u64, align: u32) -> Term {
        let object = self.declare_object("$record", None);
        self.allocate(object, self.offset(size), align, Made::Scoped);
        self.ends_with_expression(object);
        build::pointer(object, self.offset(0))
    }
}

fn sorts_agree(variables: &[Term], values: &[Term]) -> bool {
    variables.len() == values.len()
        && variables.iter().zip(values).all(|(variable, value)| variable.sort() == value.sort())
}
