//! Cases of an edge: a disjunctive partition of its transition by the constants that a term is compared with.
//!
//! An access `a[e]` to an array of scalar variables is a choice between all elements by `e = 0`, `e = 1`, and so on
//! (Section 5.2), so a relation would have all of them, and their next copies, at once. In the case `e = k` the access
//! is one element, and the others are neither read nor written. Cases exclude each other and cover all states, so
//! `T_ij` is their disjunction (Section 6.1): the post-condition of each is computed by itself, over the few variables
//! that it has.

use crate::ltg::{Edge, Ltg};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use term::build::{and, eq, falsehood, not};
use term::visit::{bottom_up, map_children, post_order};
use term::{Op, Term};

/// A term that is compared with fewer constants makes no cases.
const FEWEST: usize = 3;
/// An edge is partitioned again while it has at most this number of cases.
const MOST: usize = 256;

/// A part of the transition along an edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    pub condition: Term,
    /// The live variables that change, with their values. All others stay as they are.
    pub assignments: Vec<(Term, Term)>,
    /// The terms that have known values in this case, by which it was made.
    pub known: Vec<(Term, Term)>,
}

/// The cases of an edge, where some variables are live behind it.
pub fn cases(ltg: &Ltg, edge: &Edge, live: &[Term]) -> Vec<Case> {
    let live: FxHashSet<Term> = live.iter().copied().collect();
    let assignments = ltg.blocks[edge.from].assignments.iter().filter(|(variable, _)| live.contains(variable));
    let whole = Case { condition: edge.condition, assignments: assignments.copied().collect(), known: Vec::new() };
    let mut done = Vec::new();
    // With the terms by which it was partitioned.
    let mut pending = vec![(whole, Vec::new())];
    while let Some((case, by)) = pending.pop() {
        match case.subject(&by) {
            Some((subject, constants)) if done.len() + pending.len() + constants.len() < MOST => {
                let by = [&by[..], &[subject]].concat();
                pending.extend(case.split(subject, &constants).into_iter().map(|part| (part, by.clone())));
            }
            _ => done.push(case),
        }
    }
    done
}

impl Case {
    pub fn assigned(&self) -> FxHashSet<Term> {
        self.assignments.iter().map(|(variable, _)| *variable).collect()
    }

    /// The term that is compared with most constants, and these. Some terms have been that before.
    fn subject(&self, before: &[Term]) -> Option<(Term, BTreeSet<Term>)> {
        let roots = self.assignments.iter().map(|(_, value)| *value).chain([self.condition]);
        let mut compared: FxHashMap<Term, BTreeSet<Term>> = FxHashMap::default();
        let mut order = Vec::new();
        for (term, constant) in post_order(roots).into_iter().filter_map(comparison) {
            if before.contains(&term) {
                continue;
            }
            compared
                .entry(term)
                .or_insert_with(|| {
                    order.push(term);
                    BTreeSet::new()
                })
                .insert(constant);
        }
        let count = |term: &Term| compared[term].len();
        let subject = order.into_iter().rev().max_by_key(count).filter(|term| count(term) >= FEWEST)?;
        Some((subject, compared.remove(&subject)?))
    }

    /// One case for each constant, and one for all other values.
    fn split(&self, subject: Term, constants: &BTreeSet<Term>) -> Vec<Case> {
        let mut cases = Vec::with_capacity(constants.len() + 1);
        for constant in constants {
            let here = |term: Term| (term == subject).then_some(*constant);
            let case = self.under(eq(subject, *constant), &here);
            cases.extend(case.map(|case| Case { known: [&self.known[..], &[(subject, *constant)]].concat(), ..case }));
        }
        let differs = and(constants.iter().map(|constant| not(eq(subject, *constant))).collect::<Vec<_>>());
        let elsewhere = |term: Term| {
            let (compared, constant) = comparison(term)?;
            (compared == subject && constants.contains(&constant)).then(falsehood)
        };
        cases.extend(self.under(differs, &elsewhere));
        cases
    }

    /// The case under a further condition, by which some terms can be replaced; `None` if nothing is in it.
    fn under(&self, condition: Term, known: &dyn Fn(Term) -> Option<Term>) -> Option<Case> {
        let mut memo = FxHashMap::default();
        let mut replaced = |root: Term| {
            bottom_up(root, &mut memo, |term, memo: &FxHashMap<Term, Term>| {
                known(term).unwrap_or_else(|| map_children(term, |argument| memo[&argument]))
            })
        };
        let whole = and([condition, replaced(self.condition)]);
        if whole == falsehood() {
            return None;
        }
        let assignments = self.assignments.iter().map(|(variable, value)| (*variable, replaced(*value)));
        let assignments = assignments.filter(|(variable, value)| variable != value).collect();
        Some(Case { condition: whole, assignments, known: self.known.clone() })
    }
}

/// The term and the constant of a test for equality; Booleans make no cases.
fn comparison(term: Term) -> Option<(Term, Term)> {
    let (Op::Eq, [a, b]) = (term.op(), term.args()) else { return None };
    match (a.value().is_some(), b.value().is_some()) {
        _ if a.sort().is_bool() => None,
        (false, true) => Some((*a, *b)),
        (true, false) => Some((*b, *a)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::Sort;
    use term::build::{add, int, ite, lt, truth};

    fn variable(name: &str) -> Term {
        Term::var(name, Sort::int())
    }

    /// `a[i] := x`, then `y := a[i]`, for an array of four elements.
    #[test]
    fn an_access_is_one_element_in_each_case() {
        let [i, x, y] = ["i", "x", "y"].map(variable);
        let elements = ["a0", "a1", "a2", "a3"].map(variable);
        let at = |n: usize| eq(i, int(n as i64));
        let mut assignments: Vec<(Term, Term)> =
            (0..4).map(|n| (elements[n], ite(at(n), add(x, int(1)), elements[n]))).collect();
        let read = (0..4).fold(x, |rest, n| ite(at(n), elements[n], rest));
        assignments.push((y, read));
        let whole = Case { condition: lt(x, int(9)), assignments, known: Vec::new() };
        let (subject, constants) = whole.subject(&[]).expect("i is compared with four numbers");
        assert_eq!((subject, constants.len()), (i, 4));
        let mut cases = whole.split(subject, &constants);
        let elsewhere = cases.pop().expect("other values");
        assert_eq!(elsewhere.assignments, [(y, x)]);
        assert_eq!(cases.len(), 4);
        for case in cases {
            let n = (0..4).find(|n| case.condition == and([at(*n), lt(x, int(9))])).expect("a case for a number");
            assert_eq!(case.assignments, [(elements[n], add(x, int(1))), (y, elements[n])]);
        }
    }

    #[test]
    fn cases_that_a_condition_excludes_are_dropped() {
        let i = variable("i");
        let at = |n: i64| eq(i, int(n));
        let value = ite(at(0), i, ite(at(1), i, int(7)));
        let whole = Case { condition: at(2), assignments: vec![(variable("x"), value)], known: Vec::new() };
        let (subject, constants) = whole.subject(&[]).expect("i is compared with three numbers");
        let assignments = vec![(variable("x"), int(7))];
        let case = Case { condition: and([at(2), truth()]), assignments, known: vec![(i, int(2))] };
        assert_eq!(whole.split(subject, &constants), [case]);
    }
}
