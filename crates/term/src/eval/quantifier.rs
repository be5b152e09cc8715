//! The values of binders over small domains, by trying all values.

use super::Evaluator;
use crate::free::Free;
use crate::value::ArrayValue;
use crate::visit::bound;
use crate::{Op, Term, Value};
use std::cell::RefCell;
use std::sync::Arc;

/// A binder over more combinations of values than this has no value here.
const MAX_COMBINATIONS: u128 = 1 << 12;
/// Binders nested deeper than this have none either.
pub(super) const MAX_NESTING: u32 = 16;

/// The value of a binder.
pub(super) fn binder(term: Term, outside: &Evaluator<'_>) -> Option<Value> {
    let variables = bound(term);
    let combinations = variables.iter().try_fold(1u128, |n, v| n.checked_mul(v.sort().cardinality()?))?;
    if combinations > MAX_COMBINATIONS || outside.nesting == 0 {
        return None;
    }
    let domains: Vec<Vec<Value>> =
        variables.iter().map(|v| Some(v.sort().values()?.collect())).collect::<Option<_>>()?;
    let free = RefCell::new(Free::among(variables.iter().copied()));
    let body_at = |combination: &[&Value]| {
        let inside = |t: Term| {
            // The last of two equal bound variables counts, as if the binders were nested.
            match variables.iter().rposition(|v| *v == t) {
                Some(i) => Some(combination[i].clone()),
                // The outer assignment knows nothing of terms about the bound variables.
                None if free.borrow_mut().of(t).is_empty() => (outside.assignment)(t),
                None => None,
            }
        };
        outside.nested(&inside).value(term.args()[0])
    };
    match term.op() {
        Op::Lambda(_) => {
            let mut array = None;
            for index in &domains[0] {
                let element = body_at(&[index])?;
                let array = array.get_or_insert_with(|| ArrayValue::constant(variables[0].sort(), element.clone()));
                array.set(index.clone(), element);
            }
            array.map(|array| Value::Array(Arc::new(array)))
        }
        op => {
            let decisive = matches!(op, Op::Exists(_));
            let mut all_known = true;
            for mut n in 0..combinations as usize {
                let combination: Vec<&Value> = domains
                    .iter()
                    .map(|domain| {
                        let value = &domain[n % domain.len()];
                        n /= domain.len();
                        value
                    })
                    .collect();
                match body_at(&combination) {
                    Some(Value::Bool(b)) if b == decisive => return Some(Value::Bool(decisive)),
                    Some(_) => {}
                    None => all_known = false,
                }
            }
            all_known.then_some(Value::Bool(!decisive))
        }
    }
}
