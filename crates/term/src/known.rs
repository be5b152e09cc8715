//! What can be said of a term's value where the values of some variables are known.
//!
//! What is known of a value is a constant, or stores of constants at constant places of an array of which no more is known.

use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use term::build::make;
use term::eval::evaluate;
use term::visit::{bottom_up, bound, post_order};
use term::{Op, Sort, Term, Value};

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

    /// What is known of a term where x is 3, a is zero everywhere, and b holds 5 at the place 1.
    fn check(text: &str, expected: Option<&str>) {
        let program = format!(
            "global x: bv8\nglobal y: bv8\nglobal a: (Array bv8 bv8)\nglobal b: (Array bv8 bv8)\nglobal r: bv8\n\
             procedure main() {{\nentry -> exit: r := {text}\n}}\n"
        );
        let program = ir::parse(&program).unwrap_or_else(|errors| panic!("{errors:?}"));
        let named = |name: &str| program.globals.iter().find(|global| global.name().as_str() == name).map(|g| g.term);
        let of = |variable: Term| match variable {
            _ if Some(variable) == named("x") => Some(number(3)),
            _ if Some(variable) == named("a") => Value::zero(variable.sort()).map(Term::constant),
            _ if Some(variable) == named("b") => stored(None, number(1), Some(number(5)), variable.sort()),
            _ => None,
        };
        let body = program.procedures[0].body.as_ref().unwrap_or_else(|_| panic!("a body"));
        let ir::Op::Assign(pairs) = &body.edges().next().unwrap_or_else(|| panic!("an edge")).1.op else {
            panic!("an assignment")
        };
        assert_eq!(known(pairs[0].1, &of).map(|value| value.to_string()).as_deref(), expected, "{text}");
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
