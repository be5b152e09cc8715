//! Arrays.

use super::equal::surely_differ;
use super::*;

/// How many stores a read looks behind.
pub(super) const STORES_SEEN: usize = 128;

pub fn select(array: Term, index: Term) -> Term {
    let mut at = array;
    for _ in 0..STORES_SEEN {
        match (at.op(), at.args()) {
            (Op::Store, [_, i, v]) if *i == index => return *v,
            (Op::Store, [inner, i, _]) if surely_differ(*i, index) => at = *inner,
            (Op::ConstArray(_), [v]) => return *v,
            _ => break,
        }
    }
    fold_binary(&Op::Select, at, index).unwrap_or_else(|| Term::new(Op::Select, &[at, index]))
}

pub fn store(array: Term, index: Term, element: Term) -> Term {
    let Some(_level) = level() else { return Term::new(Op::Store, &[array, index, element]) };
    match (array.op(), array.args(), element.op(), element.args()) {
        (Op::Store, [inner, i, _], _, _) if *i == index => store(*inner, index, element),
        (Op::ConstArray(_), [v], _, _) if *v == element => array,
        (_, _, Op::Select, [a, i]) if *a == array && *i == index => array,
        _ => Term::new(Op::Store, &[array, index, element]),
    }
}

/// The array of the given sort that is `element` everywhere.
pub fn const_array(sort: Sort, element: Term) -> Term {
    Term::new(Op::ConstArray(sort), &[element])
}
