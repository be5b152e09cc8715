//! Values that do not fit a slot, and arrays from slots to slots.
//!
//! Arrays are shared and copied when they are written while shared, so assigning an array is cheap and storing to an
//! array that one variable holds happens in place.

use super::layout::{decode, encode, in_slot};
use super::memory::Memory;
use super::outcome::Trap;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;
use term::{ArrayValue, Sort, SortKind, Value};

/// The contents of a box.
#[derive(Clone, Default, Debug)]
pub(super) enum Boxed {
    /// Nothing was put here yet.
    #[default]
    Empty,
    /// A number, or an array that is not from slots to slots.
    Value(Value),
    Array(Rc<SlotArray>),
    Memory(Rc<Memory>),
}

impl Boxed {
    /// The box for a value of a sort that does not lie in slots.
    pub fn new(value: Value) -> Boxed {
        match value {
            Value::Array(array) if in_slot(array.index) && in_slot(array.default.sort()) => {
                Boxed::Array(Rc::new(SlotArray::from_value(&array)))
            }
            other => Boxed::Value(other),
        }
    }

    /// The array of a sort that is `element` everywhere.
    pub fn everywhere(sort: Sort, element: u128) -> Boxed {
        Boxed::Array(Rc::new(SlotArray::constant(sort, element)))
    }

    /// The value, if it is one.
    pub fn value(&self, sort: Sort) -> Option<Value> {
        match self {
            Boxed::Empty | Boxed::Memory(_) => None,
            Boxed::Value(value) => Some(value.clone()),
            Boxed::Array(array) => array.to_value(sort),
        }
    }

    #[inline]
    pub fn array(&self) -> Result<&SlotArray, Trap> {
        match self {
            Boxed::Array(array) => Ok(array),
            _ => Err(Trap::Internal("an array was expected".into())),
        }
    }

    /// The array, made private to this box.
    #[inline]
    pub fn array_mut(&mut self) -> Result<&mut SlotArray, Trap> {
        match self {
            Boxed::Array(array) => Ok(Rc::make_mut(array)),
            _ => Err(Trap::Internal("an array was expected".into())),
        }
    }

    pub fn memory(&self) -> Result<&Memory, Trap> {
        match self {
            Boxed::Memory(memory) => Ok(memory),
            _ => Err(Trap::Internal("a memory was expected".into())),
        }
    }

    /// The memory, made private to this box.
    pub fn memory_mut(&mut self) -> Result<&mut Memory, Trap> {
        match self {
            Boxed::Memory(memory) => Ok(Rc::make_mut(memory)),
            _ => Err(Trap::Internal("a memory was expected".into())),
        }
    }

    /// Stores to an array value in place.
    pub fn store_value(&mut self, index: Value, element: Value) -> Result<(), Trap> {
        match self {
            Boxed::Value(Value::Array(array)) => {
                Arc::make_mut(array).set(index, element);
                Ok(())
            }
            _ => Err(Trap::Internal("an array value was expected".into())),
        }
    }

    /// About how many bytes it takes.
    pub fn bytes(&self) -> u64 {
        match self {
            Boxed::Array(array) => 8 * array.dense.capacity() as u64 + 48 * array.sparse.capacity() as u64,
            Boxed::Memory(memory) => memory.bytes(),
            Boxed::Value(value) => value.heap_bytes(),
            Boxed::Empty => 0,
        }
    }
}

/// What an array holds where nothing was stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Background {
    Constant(u128),
    /// The address of the object that is the index: the initial value of `$base`.
    Addresses,
}

/// An array from slots to slots.
#[derive(Clone, Debug)]
pub(super) struct SlotArray {
    background: Background,
    /// The elements at 0, 1, 2, ... Always empty if elements need more than 64 bits or the background is not constant.
    dense: Vec<u64>,
    dense_allowed: bool,
    /// Other elements.
    sparse: FxHashMap<u128, u128>,
}

impl SlotArray {
    /// The array that is `element` everywhere, of an array sort.
    pub fn constant(sort: Sort, element: u128) -> SlotArray {
        match sort.kind() {
            SortKind::Array(_, of) => SlotArray::new(*of, element),
            _ => SlotArray::new(sort, element),
        }
    }

    /// The array that is `element` everywhere, which has the given sort.
    fn new(sort: Sort, element: u128) -> SlotArray {
        SlotArray {
            background: Background::Constant(element),
            dense: Vec::new(),
            dense_allowed: is_narrow(sort),
            sparse: FxHashMap::default(),
        }
    }

    /// The array of the objects' addresses.
    pub fn addresses() -> SlotArray {
        SlotArray {
            background: Background::Addresses,
            dense: Vec::new(),
            dense_allowed: false,
            sparse: FxHashMap::default(),
        }
    }

    /// The element, or `Err` with the index if it is the address of an object.
    #[inline]
    pub fn get(&self, index: u128) -> Result<u128, Unstored> {
        if index < self.dense.len() as u128 {
            return Ok(u128::from(self.dense[index as usize]));
        }
        match (self.sparse.get(&index), self.background) {
            (Some(element), _) => Ok(*element),
            (None, Background::Constant(element)) => Ok(element),
            (None, Background::Addresses) => Err(Unstored),
        }
    }

    #[inline]
    pub fn set(&mut self, index: u128, element: u128) {
        if index < self.dense.len() as u128 {
            self.dense[index as usize] = element as u64;
        } else {
            self.set_beyond(index, element);
        }
    }

    #[cold]
    fn set_beyond(&mut self, index: u128, element: u128) {
        let length = self.dense.len() as u128;
        match self.background {
            // Indices near those known are likely to be followed by the ones between.
            Background::Constant(background) if self.dense_allowed && index <= 2 * length + 64 => {
                for next in length..index {
                    let known = if self.sparse.is_empty() { None } else { self.sparse.remove(&next) };
                    self.dense.push(known.unwrap_or(background) as u64);
                }
                self.sparse.remove(&index);
                self.dense.push(element as u64);
            }
            _ => {
                self.sparse.insert(index, element);
            }
        }
    }

    /// Elements at smaller indices than this are kept together.
    pub fn dense_len(&self) -> usize {
        self.dense.len()
    }

    /// What was stored, by index.
    pub fn stored(&self) -> impl Iterator<Item = (u128, u128)> {
        let dense = self.dense.iter().enumerate().map(|(index, element)| (index as u128, u128::from(*element)));
        dense.chain(self.sparse.iter().map(|(index, element)| (*index, *element)))
    }

    pub fn background(&self) -> Background {
        self.background
    }

    fn from_value(value: &ArrayValue) -> SlotArray {
        let mut array = SlotArray::new(value.default.sort(), encode(&value.default).unwrap_or_default());
        for (index, element) in &value.entries {
            array.set(encode(index).unwrap_or_default(), encode(element).unwrap_or_default());
        }
        array
    }

    /// The value of the array sort; `None` if its background is not constant.
    fn to_value(&self, sort: Sort) -> Option<Value> {
        let SortKind::Array(index, element) = sort.kind() else { return None };
        debug_assert!(in_slot(*index) && in_slot(*element));
        let Background::Constant(background) = self.background else { return None };
        let mut value = ArrayValue::constant(*index, decode(*element, background)?);
        for (at, stored) in self.stored() {
            if stored != background {
                value.set(decode(*index, at)?, decode(*element, stored)?);
            }
        }
        Some(Value::Array(Arc::new(value)))
    }
}

/// Whether values of the sort take at most 64 bits of a slot.
fn is_narrow(sort: Sort) -> bool {
    match sort.kind() {
        SortKind::Bool | SortKind::Uninterpreted(..) => true,
        SortKind::BitVec(width) => *width <= 64,
        SortKind::Float(format) => format.width() <= 64,
        _ => false,
    }
}

/// There is no element of its own at this index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Unstored;

#[cfg(test)]
mod tests {
    use super::*;

    /// Stores in the given order and checks every element read against a plain map.
    fn check(stores: &[(u128, u128)]) {
        for width in [64, 65] {
            check_array(SlotArray::constant(Sort::array(Sort::bv(128), Sort::bv(width)), 7), stores);
        }
    }

    fn check_array(mut array: SlotArray, stores: &[(u128, u128)]) {
        let mut plain = std::collections::BTreeMap::new();
        for &(index, element) in stores {
            array.set(index, element);
            plain.insert(index, element);
            for at in (0..400).chain([u128::MAX, 1 << 64]) {
                assert_eq!(array.get(at), Ok(plain.get(&at).copied().unwrap_or(7)), "at {at} after {stores:?}");
            }
        }
    }

    #[test]
    fn elements_are_found_where_they_were_stored() {
        check(&[(0, 1), (1, 2), (1, 3)]);
        check(&[(100, 1), (64, 2), (65, 9), (130, 3), (100, 7), (u128::MAX, 4)]);
        check(&[(300, 1), (299, 2), (50, 3), (160, 4), (350, 5), (1 << 64, 6), (300, 8)]);
    }

    #[test]
    fn values_come_back() {
        let sort = Sort::array(Sort::bv(3), Sort::bool());
        let mut value = ArrayValue::constant(Sort::bv(3), Value::Bool(false));
        for index in [1, 3, 4, 5, 6] {
            value.set(Value::bv(3, index), Value::Bool(true));
        }
        let value = Value::Array(Arc::new(value));
        assert_eq!(Boxed::new(value.clone()).value(sort), Some(value));
    }
}
