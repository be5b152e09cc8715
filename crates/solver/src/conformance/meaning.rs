//! Operators and closed terms mean to the back end what they mean to [`term::eval`].

use super::{Make, Takes, taken};
use crate::{Answer, Smt, Unknown};
use rustc_hash::FxHashMap;
use std::time::Duration;
use term::random::Terms;
use term::{Op, Term, Value, build, eval, free};

/// How many operators and terms are tried.
const OPERATORS: u64 = 6000;
const TERMS: u64 = 400;
/// Solvers start afresh now and then, so that what they remember stays small.
const BATCH: u64 = 6;

/// Every operator on random values: once with the values as constants, which simplification sees, and once with
/// variables that are said to equal them.
pub fn operators(make: Make, takes: Takes) {
    let mut smt = make();
    let mut undecided = 0;
    let mut tried: FxHashMap<String, u32> = FxHashMap::default();
    for seed in 0..OPERATORS {
        if seed % BATCH == 0 {
            smt = make();
        }
        let mut terms = Terms::new(seed);
        let sort = terms.sort();
        let (op, sorts) = terms.operator(sort);
        // These come for each sort; others come for one.
        if matches!(op, Op::Ite | Op::Select) && seed % 8 != 0 {
            continue;
        }
        let values: Vec<Value> = sorts.iter().map(|sort| terms.random.value(*sort)).collect();
        let constants: Vec<Term> = values.iter().cloned().map(Term::constant).collect();
        let plain = Term::new(op.clone(), &constants);
        let Some(expected) = eval::apply(&op, &values) else { continue };
        if !taken(takes, plain) {
            continue;
        }
        let name = format!("{op:?}").split([' ', '(', '{']).next().unwrap_or_default().to_string();
        *tried.entry(name).or_default() += 1;
        let constant = agrees(&mut *smt, plain, &[], expected.clone());
        let variables: Vec<Term> = sorts
            .iter()
            .zip(0..)
            .map(|(sort, n)| Term::var(format!("v{sort}").as_str(), *sort).at_instance(n))
            .collect();
        let given: Vec<Term> = variables.iter().zip(&constants).map(|(v, c)| Term::new(Op::Eq, &[*v, *c])).collect();
        let variable = agrees(&mut *smt, Term::new(op, &variables), &given, expected);
        undecided += u32::from(!constant) + u32::from(!variable);
    }
    assert!(undecided < 20, "{undecided} operators took too long");
    assert!(tried.len() >= 10, "few operators of {} were tried: {tried:?}", smt.name());
}

/// Random terms under random assignments.
pub fn closed_terms(make: Make, takes: Takes) {
    let mut smt = make();
    let mut undecided = 0;
    for seed in 0..TERMS {
        if seed % BATCH == 0 {
            smt = make();
        }
        let mut terms = Terms::new(seed);
        let sort = terms.sort();
        let term = terms.term(sort, 4);
        if !taken(takes, term) {
            continue;
        }
        let variables = free::variables([term]);
        let assignment: FxHashMap<Term, Value> = variables.iter().map(|v| (*v, terms.random.value(v.sort()))).collect();
        let Some(expected) = eval::evaluate(term, &|t| assignment.get(&t).cloned()) else { continue };
        let given: Vec<Term> =
            assignment.iter().map(|(v, c)| Term::new(Op::Eq, &[*v, Term::constant(c.clone())])).collect();
        undecided += u32::from(!agrees(&mut *smt, term, &given, expected));
    }
    assert!(undecided < 20, "{undecided} terms took too long");
}

/// Checks that the term has the expected value where the given equations hold, and no other. Whether the solver knew:
/// floats of many bits can take long.
fn agrees(smt: &mut dyn Smt, term: Term, given: &[Term], expected: Value) -> bool {
    let unlimited = smt.limits().clone();
    let result = Term::var(format!("result {}", term.sort()).as_str(), term.sort());
    smt.push();
    smt.assert(Term::new(Op::Eq, &[result, term]));
    for equation in given {
        smt.assert(*equation);
    }
    smt.set_limits(unlimited.within(Duration::from_secs(2)));
    let found = smt.check();
    match &found {
        Answer::Sat => {
            let values = [smt.value(term), smt.value(result)];
            let both = [Some(expected.clone()), Some(expected.clone())];
            assert_eq!(values, both, "{} on {term} where {given:?}", smt.name());
        }
        Answer::Unknown(Unknown::Timeout) => {}
        other => panic!("{} says {other:?} of {given:?}", smt.name()),
    }
    smt.assert(build::not(Term::new(Op::Eq, &[term, Term::constant(expected.clone())])));
    let answer = smt.check();
    let fine = matches!(answer, Answer::Unsat | Answer::Unknown(Unknown::Timeout));
    assert!(fine, "{} says {answer:?} of {term} differing from {expected:?} where {given:?}", smt.name());
    smt.set_limits(unlimited);
    smt.pop();
    found.is_sat() && answer.is_unsat()
}
