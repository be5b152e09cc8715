//! The values of binders over small domains, by trying all values.
//!
//! An integer that is only an index of maps need not be tried in all places: where no map has an entry, all places are alike.

use super::Evaluator;
use crate::free::Free;
use crate::value::ArrayValue;
use crate::visit::{bound, post_order};
use crate::{Op, SortKind, Term, Value};
use dashu::integer::IBig;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A binder over more combinations of values than this has no value here.
const MAX_COMBINATIONS: u128 = 1 << 12;
/// Binders nested deeper than this have none either.
pub(super) const MAX_NESTING: u32 = 16;

/// The value of a binder.
pub(super) fn binder(term: Term, outside: &Evaluator<'_>) -> Option<Value> {
    let variables = bound(term);
    if outside.nesting == 0 {
        return None;
    }
    let domain = |variable: &Term| match variable.sort().cardinality() {
        Some(size) if size <= MAX_COMBINATIONS => Some(variable.sort().values()?.collect()),
        _ if matches!(term.op(), Op::Lambda(_)) => None,
        _ => places(*variable, term, outside),
    };
    let domains: Vec<Vec<Value>> = variables.iter().map(domain).collect::<Option<_>>()?;
    let combinations = domains.iter().try_fold(1u128, |n, domain| n.checked_mul(domain.len() as u128))?;
    if combinations > MAX_COMBINATIONS {
        return None;
    }
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

/// The places that a bound integer must be tried in, if it is nothing but an index of maps that do not depend on what is bound:
/// where a map has an entry, and one place where none has.
fn places(variable: Term, binder: Term, outside: &Evaluator<'_>) -> Option<Vec<Value>> {
    let mut free = Free::among(bound(binder).iter().copied());
    let mut places: BTreeSet<Value> = BTreeSet::new();
    for part in post_order([binder.args()[0]]) {
        if !bound(part).is_empty() {
            return None;
        }
        if !part.args().contains(&variable) {
            continue;
        }
        let (Op::Select, [map, _]) = (part.op(), part.args()) else { return None };
        if !free.of(*map).is_empty() {
            return None;
        }
        let Some(Value::Array(map)) = outside.nested(outside.assignment).value(*map) else { return None };
        places.extend(map.entries.keys().cloned());
    }
    let other = match (variable.sort().kind(), places.last()) {
        (SortKind::Int, Some(Value::Int(last))) => Value::Int(last + IBig::ONE),
        (SortKind::Int, None) => Value::Int(IBig::ZERO),
        _ => return None,
    };
    Some(places.into_iter().chain([other]).collect())
}
