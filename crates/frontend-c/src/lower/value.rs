//! Values of C expressions.

use super::storage::{Shape, value_sort};
use crate::types::{Ty, Types};
use term::Term;

/// The value of an expression.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Void,
    /// Truth values have the sort Bool, all others that of their type.
    Scalar(Term),
    Record(RecordValue),
}

/// The value of a struct or union.
#[derive(Clone, Debug)]
pub(super) enum RecordValue {
    /// The stored forms of the leaves of its type, in their order.
    Leaves(Vec<Term>),
    /// What memory holds at this pointer, now and until the value has been used.
    Memory(Term),
}

/// A value with its C type, unqualified.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub value: Value,
    pub ty: Ty,
}

impl Value {
    /// Whether this can be a value of the type.
    pub fn fits(&self, types: &Types, ty: Ty) -> bool {
        match (self, Shape::of(types, ty)) {
            (Value::Void, Shape::Nothing) => true,
            (Value::Scalar(term), Shape::Scalar(scalar)) => term.sort() == value_sort(scalar, types.model()),
            (Value::Record(RecordValue::Memory(_)), Shape::Leaves(_) | Shape::Memory) => true,
            (Value::Record(RecordValue::Leaves(terms)), shape @ Shape::Leaves(_)) => {
                let sorts = shape.sorts(types);
                terms.len() == sorts.len() && terms.iter().zip(sorts).all(|(term, sort)| term.sort() == sort)
            }
            _ => false,
        }
    }
}
