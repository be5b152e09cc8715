//! How many values a sort has, and which: for quantifiers over small domains and for canonical array values.

use crate::value::ArrayValue;
use crate::{Bv, FloatFormat, Sort, SortKind, Value};
use std::sync::Arc;

impl Sort {
    /// The number of values. `None` if there are infinitely many, or more than can be counted here.
    pub fn cardinality(self) -> Option<u128> {
        match self.kind() {
            SortKind::Bool => Some(2),
            SortKind::BitVec(width) => 1u128.checked_shl(*width),
            SortKind::Float(format) => Some(2 * float_magnitudes(*format) + 1),
            SortKind::Pointer(width) => 1u128.checked_shl(crate::OBJECT_WIDTH + width),
            SortKind::Array(index, element) => {
                element.cardinality()?.checked_pow(index.cardinality()?.try_into().ok()?)
            }
            SortKind::Int | SortKind::Real | SortKind::Uninterpreted(..) | SortKind::Memory(_) => None,
        }
    }

    /// All values in some order, if they can be counted.
    pub fn values(self) -> Option<Box<dyn Iterator<Item = Value>>> {
        let count = self.cardinality()?;
        let nth: Box<dyn FnMut(u128) -> Value> = match *self.kind() {
            SortKind::Bool => Box::new(|n| Value::Bool(n == 1)),
            SortKind::BitVec(width) => Box::new(move |n| Value::bv(width, n)),
            SortKind::Float(format) => Box::new(move |n| nth_float(format, n)),
            SortKind::Pointer(width) => {
                Box::new(move |n| Value::Pointer { object: (n >> width) as u32, offset: Bv::new(width, n) })
            }
            SortKind::Array(index, element) => {
                let indices: Vec<Value> = index.values()?.collect();
                let elements: Vec<Value> = element.values()?.collect();
                Box::new(move |n| nth_array(index, &indices, &elements, n))
            }
            SortKind::Int | SortKind::Real | SortKind::Uninterpreted(..) | SortKind::Memory(_) => return None,
        };
        Some(Box::new((0..count).map(nth)))
    }
}

/// The number of non-negative floats, +0 and infinity among them.
fn float_magnitudes(format: FloatFormat) -> u128 {
    (((1 << format.exponent) - 1) << (format.significand - 1)) + 1
}

fn nth_float(format: FloatFormat, n: u128) -> Value {
    let magnitudes = float_magnitudes(format);
    let hidden = |magnitude: u128, negative: bool| {
        let sign = u128::from(negative) << (format.exponent + format.significand - 1);
        Value::Float(format, crate::float::from_hidden(format, sign | magnitude))
    };
    match n {
        _ if n < magnitudes => hidden(n, false),
        _ if n < 2 * magnitudes => hidden(n - magnitudes, true),
        _ => Value::Float(format, crate::float::nan(format)),
    }
}

/// The array whose elements are the digits of `n`.
fn nth_array(index: Sort, indices: &[Value], elements: &[Value], mut n: u128) -> Value {
    let mut array = ArrayValue::constant(index, elements[0].clone());
    for at in indices {
        array.set(at.clone(), elements[(n % elements.len() as u128) as usize].clone());
        n /= elements.len() as u128;
    }
    Value::Array(Arc::new(array))
}
