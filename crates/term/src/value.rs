//! Values: what a closed term evaluates to, and what a variable holds in an execution.

use crate::{FloatFormat, Sort, SortKind, float};
use dashu::{base::BitTest, integer::IBig, rational::RBig};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A bit-vector value. The bits above `width` are zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Bv {
    width: u32,
    bits: u128,
}

impl Bv {
    /// The low `width` bits of `bits`.
    pub fn new(width: u32, bits: u128) -> Bv {
        debug_assert!((1..=crate::MAX_WIDTH).contains(&width));
        Bv { width, bits: bits & Bv::mask(width) }
    }

    /// All ones.
    pub fn mask(width: u32) -> u128 {
        if width >= 128 { u128::MAX } else { (1 << width) - 1 }
    }

    pub fn width(self) -> u32 {
        self.width
    }

    pub fn unsigned(self) -> u128 {
        self.bits
    }

    pub fn signed(self) -> i128 {
        let shift = 128 - self.width;
        ((self.bits << shift) as i128) >> shift
    }
}

/// A value of any sort. Equality is identity of values: floats compare by bit pattern (all NaNs are kept as one pattern).
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Value {
    Bool(bool),
    Int(IBig),
    Real(RBig),
    Bv(Bv),
    /// The format and the bit pattern, as `FpToBits` gives it.
    Float(FloatFormat, u128),
    Pointer {
        object: u32,
        offset: Bv,
    },
    Array(Arc<ArrayValue>),
    /// The n-th element of a user's sort.
    Element(Sort, u64),
}

/// An array value: finitely many entries over a default.
///
/// No entry equals the default, and the default is the most frequent element (the least of several), so that equality
/// is extensional also where the index sort is finite. [`ArrayValue::with`] keeps it so.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ArrayValue {
    pub index: Sort,
    pub default: Value,
    pub entries: BTreeMap<Value, Value>,
}

impl Value {
    pub fn bv(width: u32, bits: u128) -> Value {
        Value::Bv(Bv::new(width, bits))
    }

    /// About how many bytes it takes beside the value itself.
    pub fn heap_bytes(&self) -> u64 {
        let bits = match self {
            Value::Int(number) => number.bit_len(),
            Value::Real(number) => number.numerator().bit_len() + number.denominator().bit_len(),
            Value::Array(array) => {
                let numbers = |value: &Value| matches!(value, Value::Int(_) | Value::Real(_) | Value::Array(_));
                let grow = array.entries.iter().next().is_some_and(|(index, of)| numbers(index) || numbers(of));
                let held = |(index, of): (&Value, &Value)| index.heap_bytes() + of.heap_bytes();
                let more = if grow { array.entries.iter().map(held).sum() } else { 0 };
                return 128 * array.entries.len() as u64 + array.default.heap_bytes() + more;
            }
            _ => 0,
        };
        bits as u64 / 8
    }

    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::bool(),
            Value::Int(_) => Sort::int(),
            Value::Real(_) => Sort::real(),
            Value::Bv(bv) => Sort::bv(bv.width()),
            Value::Float(format, _) => Sort::float(*format),
            Value::Pointer { offset, .. } => Sort::pointer(offset.width()),
            Value::Array(array) => Sort::array(array.index, array.default.sort()),
            Value::Element(sort, _) => *sort,
        }
    }

    /// A value of the sort that stands for "nothing in particular": zero, false, null. `None` for memory, which has no values of its own here.
    pub fn zero(sort: Sort) -> Option<Value> {
        Some(match sort.kind() {
            SortKind::Bool => Value::Bool(false),
            SortKind::Int => Value::Int(IBig::ZERO),
            SortKind::Real => Value::Real(RBig::ZERO),
            SortKind::BitVec(width) => Value::bv(*width, 0),
            SortKind::Float(format) => Value::Float(*format, 0),
            SortKind::Pointer(width) => Value::Pointer { object: 0, offset: Bv::new(*width, 0) },
            SortKind::Array(index, element) => Value::Array(Arc::new(ArrayValue {
                index: *index,
                default: Value::zero(*element)?,
                entries: BTreeMap::new(),
            })),
            SortKind::Uninterpreted(..) => Value::Element(sort, 0),
            SortKind::Memory(_) => return None,
        })
    }

    /// Whether the value keeps the laws of its kind: widths and sorts that exist, the one pattern of NaN, arrays with
    /// entries of one sort that differ from the most frequent one. Only such values are constants of terms.
    pub fn is_canonical(&self) -> bool {
        match self {
            Value::Bool(_) | Value::Int(_) | Value::Real(_) | Value::Bv(_) => true,
            Value::Float(format, bits) => {
                format.is_supported()
                    && bits & !Bv::mask(format.width()) == 0
                    && float::canonical(*format, *bits) == *bits
            }
            Value::Pointer { offset, .. } => matches!(offset.width(), 32 | 64),
            Value::Element(sort, _) => matches!(sort.kind(), SortKind::Uninterpreted(..)),
            Value::Array(array) => array.is_canonical(),
        }
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(*b),
            _ => None,
        }
    }

    pub fn as_bv(&self) -> Option<Bv> {
        match self {
            Value::Bv(bv) => Some(*bv),
            _ => None,
        }
    }
}

impl ArrayValue {
    /// The array that is `default` everywhere.
    pub fn constant(index: Sort, default: Value) -> ArrayValue {
        ArrayValue { index, default, entries: BTreeMap::new() }
    }

    pub fn get(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// This array with another element at `index`.
    pub fn with(&self, index: Value, element: Value) -> ArrayValue {
        let mut changed = self.clone();
        changed.set(index, element);
        changed
    }

    /// Puts an element at `index`.
    pub fn set(&mut self, index: Value, element: Value) {
        if element == self.default {
            self.entries.remove(&index);
        } else {
            self.entries.insert(index, element);
        }
        // While the entries are fewer than half of the indices, the default is the most frequent element.
        if let Some(indices) = self.index.cardinality()
            && 2 * self.entries.len() as u128 >= indices
        {
            self.choose_default(indices);
        }
    }

    fn is_canonical(&self) -> bool {
        let element = self.default.sort();
        let fits = |(at, value): (&Value, &Value)| {
            at.is_canonical() && value.is_canonical() && at.sort() == self.index && value.sort() == element
        };
        let sound = self.default.is_canonical()
            && self.entries.iter().all(|(at, value)| *value != self.default && fits((at, value)));
        sound
            && self.index.cardinality().is_none_or(|indices| {
                2 * (self.entries.len() as u128) < indices || {
                    let mut chosen = self.clone();
                    chosen.choose_default(indices);
                    chosen == *self
                }
            })
    }

    fn choose_default(&mut self, indices: u128) {
        let mut counts: BTreeMap<&Value, u128> = BTreeMap::new();
        counts.insert(&self.default, indices - self.entries.len() as u128);
        for element in self.entries.values() {
            *counts.entry(element).or_default() += 1;
        }
        let most = counts.values().copied().max().unwrap_or_default();
        let best = counts.iter().find(|(_, count)| **count == most).map(|(element, _)| (*element).clone());
        let Some(best) = best.filter(|best| *best != self.default) else { return };
        let Some(all) = self.index.values() else { return };
        let entries = all.filter_map(|index| {
            let element = self.get(&index).clone();
            (element != best).then_some((index, element))
        });
        self.entries = entries.collect();
        self.default = best;
    }
}
