//! Scopes, assumptions, cores, unsupported terms and limits. All on Booleans, which every back end takes.

use super::Make;
use crate::{Answer, Limits, Unknown};
use std::time::Duration;
use term::random::Random;
use term::{Op, Sort, Term, Value, build};

fn variable(n: usize) -> Term {
    Term::var("p", Sort::bool()).at_instance(n as u32)
}

/// A clause of up to three of five variables.
fn clause(random: &mut Random) -> Term {
    let literals = (0..1 + random.below(3)).map(|_| {
        let variable = variable(random.below(5));
        if random.once_in(2) { variable } else { build::not(variable) }
    });
    build::or(literals.collect::<Vec<_>>())
}

/// Whether clauses over the five variables have a model, by trying all.
fn satisfiable(clauses: &[Term]) -> bool {
    (0..32u32).any(|bits| {
        let value = |t: Term| (0..5).find(|n| variable(*n) == t).map(|n| Value::Bool(bits >> n & 1 == 1));
        clauses.iter().all(|c| term::eval::evaluate(*c, &value) == Some(Value::Bool(true)))
    })
}

fn expected(clauses: &[Term]) -> Answer {
    if satisfiable(clauses) { Answer::Sat } else { Answer::Unsat }
}

/// Checks after random pushes, pops and assertions speak of what is asserted then.
pub fn scopes(make: Make) {
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let mut smt = make();
        let mut stack: Vec<Vec<Term>> = vec![Vec::new()];
        for _ in 0..60 {
            match random.below(4) {
                0 => {
                    smt.push();
                    stack.push(Vec::new());
                }
                1 if stack.len() > 1 => {
                    smt.pop();
                    stack.pop();
                }
                _ => {
                    let clause = clause(&mut random);
                    smt.assert(clause);
                    stack.last_mut().expect("the outermost scope stays").push(clause);
                }
            }
            let all: Vec<Term> = stack.iter().flatten().copied().collect();
            assert_eq!(smt.check(), expected(&all), "{} on {all:?}", smt.name());
        }
    }
}

/// Assumptions, literals or not, count for one check; a core is a part of them that suffices.
pub fn assumptions_and_cores(make: Make) {
    let mut cores = 0;
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let mut smt = make();
        let asserted: Vec<Term> = (0..random.below(5)).map(|_| clause(&mut random)).collect();
        asserted.iter().for_each(|clause| smt.assert(*clause));
        for _ in 0..5 {
            let assumed: Vec<Term> = (0..random.below(7)).map(|_| clause(&mut random)).collect();
            let all: Vec<Term> = asserted.iter().chain(&assumed).copied().collect();
            let answer = smt.check_assuming(&assumed);
            assert_eq!(answer, expected(&all), "{} on {all:?}", smt.name());
            if answer == Answer::Unsat {
                let core = smt.core().to_vec();
                cores += usize::from(core.len() < assumed.len());
                assert!(core.iter().all(|c| assumed.contains(c)), "{core:?} is not among {assumed:?}");
                assert_eq!(smt.check_assuming(&core), Answer::Unsat, "{core:?} is not enough of {assumed:?}");
            } else {
                assert!(smt.core().is_empty());
                for clause in &all {
                    assert_eq!(smt.value(*clause), Some(Value::Bool(true)), "{} on {all:?}", smt.name());
                }
            }
            assert_eq!(smt.check(), expected(&asserted), "assumptions are forgotten");
        }
    }
    assert!(cores > 0, "no core was smaller than the assumptions");
}

/// A term that no solver takes spoils checks until its scope is popped.
pub fn unsupported_terms_are_remembered(make: Make) {
    let mut smt = make();
    let memory = Term::var("memory", Sort::memory(32));
    let load = Term::new(Op::Load(Sort::bv(8)), &[memory, Term::var("at", Sort::pointer(32))]);
    let formula = build::eq(load, build::bv(8, 7));
    let unsupported = |answer: Answer| matches!(answer, Answer::Unknown(Unknown::Unsupported(_)));
    assert!(unsupported(smt.check_assuming(&[formula])));
    assert_eq!(smt.check(), Answer::Sat, "an assumption is forgotten");
    smt.push();
    smt.assert(formula);
    assert!(unsupported(smt.check()));
    smt.push();
    assert!(unsupported(smt.check()));
    assert_eq!(smt.value(load), None);
    smt.pop();
    smt.pop();
    assert_eq!(smt.check(), Answer::Sat);
    assert_eq!(smt.value(memory), None, "memory has no values");
}

/// Limits that are exceeded before a check is begun.
pub fn limits_are_looked_at(make: Make) {
    let mut smt = make();
    smt.set_limits(Limits::default().within(Duration::ZERO));
    assert_eq!(smt.check(), Answer::Unknown(Unknown::Timeout));
    smt.set_limits(Limits { memory: Some(1), ..Limits::default() });
    assert_eq!(smt.check(), Answer::Unknown(Unknown::Memory));
    let limits = Limits::default();
    limits.cancel.cancel();
    smt.set_limits(limits);
    assert_eq!(smt.check(), Answer::Unknown(Unknown::Cancelled));
    smt.set_limits(Limits::default());
    assert_eq!(smt.check(), Answer::Sat);
}
