//! What can be said of a term's value where the values of some variables are known.
//!
//! What is known of a value is a constant, or stores of constants at constant places of an array of which no more is known.

use crate::build::make;
use crate::eval::evaluate;
use crate::visit::{bottom_up, bound, post_order};
use crate::{Op, Sort, Term, Value};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What is known of a term, if `of` tells what is known of variables. Nothing that is said depends on what is not known.
pub fn known(term: Term, of: &dyn Fn(Term) -> Option<Term>) -> Option<Term> {
    if term.value().is_some() {
        return Some(term);
    }
    if let Some(value) = evaluate(term, &|variable| of(variable)?.value().cloned()) {
        return Some(Term::constant(value));
    }
    if post_order([term]).into_iter().any(|part| !bound(part).is_empty()) {
        return None;
    }
    let mut memo: FxHashMap<Term, Option<Term>> = FxHashMap::default();
    bottom_up(term, &mut memo, |node, parts| match node.op() {
        Op::Const(_) => Some(node),
        Op::Var { .. } => of(node),
        op => {
            let known: Vec<Option<Term>> = node.args().iter().map(|part| parts[part]).collect();
            operated(op, node, &known)
        }
    })
}

fn operated(op: &Op, node: Term, known: &[Option<Term>]) -> Option<Term> {
    match (op, known) {
        (Op::Store, [array, Some(place), element]) => stored(*array, *place, *element, node.sort()),
        (Op::Store, _) => None,
        (Op::Select, [Some(array), Some(place)]) => element(*array, *place),
        (Op::Select, [Some(array), None]) => match array.value() {
            Some(Value::Array(array)) if array.entries.is_empty() => Some(Term::constant(array.default.clone())),
            _ => None,
        },
        (Op::Ite, [Some(condition), yes, no]) => *if condition.as_bool() == Some(true) { yes } else { no },
        (Op::Ite, [None, Some(yes), Some(no)]) if yes == no => Some(*yes),
        _ => {
            // What is not known stands for itself.
            let is_partial = |part: &Option<Term>| part.is_some_and(|part| part.value().is_none());
            if known.iter().any(is_partial) {
                return None;
            }
            let args: Vec<Term> = known.iter().zip(node.args()).map(|(known, part)| known.unwrap_or(*part)).collect();
            let simplified = make(op, &args);
            evaluate(simplified, &|_| None).map(Term::constant)
        }
    }
}

/// The stores of an array that is partly known: by places, and nothing if nothing is known.
fn entries(array: Option<Term>) -> BTreeMap<Term, Term> {
    let mut found = BTreeMap::new();
    match array.and_then(|array| array.value()) {
        Some(Value::Array(array)) => {
            let constant = |value: &Value| Term::constant(value.clone());
            found.extend(array.entries.iter().map(|(place, element)| (constant(place), constant(element))));
        }
        _ => {
            let mut at = array;
            while let Some((Op::Store, [below, place, element])) = at.map(|term| (term.op(), term.args())) {
                found.entry(*place).or_insert(*element);
                at = Some(*below);
            }
        }
    }
    found
}

fn stored(array: Option<Term>, place: Term, element: Option<Term>, sort: Sort) -> Option<Term> {
    if let (Some(array), Some(element)) = (array, element)
        && array.value().is_some()
    {
        return evaluate(make(&Op::Store, &[array, place, element]), &|_| None).map(Term::constant);
    }
    let mut entries = entries(array);
    match element {
        Some(element) => entries.insert(place, element),
        None => entries.remove(&place),
    };
    if entries.is_empty() {
        return None;
    }
    let elsewhere = Term::var("$elsewhere", sort);
    Some(entries.into_iter().fold(elsewhere, |array, (place, element)| Term::new(Op::Store, &[array, place, element])))
}

fn element(array: Term, place: Term) -> Option<Term> {
    match array.value() {
        Some(Value::Array(array)) => Some(Term::constant(array.get(place.value()?).clone())),
        _ => entries(Some(array)).get(&place).copied(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse_closed;
    use source::Symbol;
    use std::collections::HashMap;

    /// What is known of a term where x is 3, a is zero everywhere, and b holds 5 at the place 1.
    fn check(term: &str, expected: Option<&str>) {
        let (number_sort, map) = (Sort::bv(8), Sort::array(Sort::bv(8), Sort::bv(8)));
        let sorts = [("x", number_sort), ("y", number_sort), ("a", map), ("b", map)];
        let scope: HashMap<Symbol, Sort> = sorts.into_iter().map(|(name, sort)| (Symbol::new(name), sort)).collect();
        let term = parse_closed(term, &scope).unwrap_or_else(|error| panic!("{term}: {error:?}"));
        let of = |variable: Term| match variable.name()?.as_str() {
            "x" => Some(number(3)),
            "a" => Value::zero(map).map(Term::constant),
            "b" => stored(None, number(1), Some(number(5)), map),
            _ => None,
        };
        assert_eq!(known(term, &of).map(|value| value.to_string()).as_deref(), expected, "{term}");
    }

    fn number(number: u128) -> Term {
        Term::constant(Value::bv(8, number))
    }

    #[test]
    fn what_does_not_matter_need_not_be_known() {
        check("(bvadd x #x01)", Some("#x04"));
        check("(bvadd y #x01)", None);
        check("(bvand y #x00)", Some("#x00"));
        check("(bvsub y y)", Some("#x00"));
        check("(ite (= x #x03) #x01 y)", Some("#x01"));
        check("(ite (= y #x03) x #x03)", Some("#x03"));
        check("(ite (= y #x03) x #x02)", None);
    }

    #[test]
    fn arrays_may_be_known_in_part() {
        check("(select a y)", Some("#x00"));
        check("(select (store a x #x07) y)", None);
        check("(select (store a y #x07) x)", None);
        check("(select b #x01)", Some("#x05"));
        check("(select b #x02)", None);
        check("(select (store b x y) #x01)", Some("#x05"));
        check("(select (store b x y) x)", None);
        check("(select (store b x #x09) x)", Some("#x09"));
        check("(bvsub (select b #x02) (select b #x03))", None);
        check("(bvsub (select b y) (select (store b x y) y))", None);
    }
}
