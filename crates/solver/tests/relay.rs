//! The laws of [`solver::Smt`] for several solvers in turn.

use solver::{Answer, Blaster, Maker, Profile, Relay, Smt, Unknown, Z3};
use std::time::Duration;
use term::build::{eq, int, not, or};
use term::{Sort, SortKind, Term};

fn blaster() -> Maker<'static> {
    Box::new(|| Box::new(Blaster::new()))
}

fn z3() -> Maker<'static> {
    Box::new(|| Box::new(Z3::new(Profile::Incremental)))
}

/// Terms that both take. Asked anew each time, Z3 does not decide all conversions of floats.
fn both_take(term: Term) -> bool {
    Blaster::takes(term) && !matches!(term.sort().kind(), SortKind::Float(_))
}

solver::conformance!(Relay::new(vec![blaster(), z3()], Duration::from_secs(1)), both_take);

/// The first solver does not know integers, so the second is asked.
#[test]
fn one_that_cannot_leaves_it_to_the_others() {
    let x = Term::var("x", Sort::int());
    let (one, two) = (eq(x, int(1)), eq(x, int(2)));
    let mut relay = Relay::new(vec![blaster(), z3()], Duration::from_secs(10));
    relay.assert(or([one, two]));
    assert_eq!((relay.check(), relay.name()), (Answer::Sat, "Z3"));
    assert_eq!(relay.check_assuming(&[not(one), not(two)]), Answer::Unsat);
}

#[test]
fn without_a_solver_that_can_nothing_is_known() {
    let mut relay = Relay::new(vec![blaster()], Duration::from_secs(10));
    relay.assert(eq(Term::var("x", Sort::int()), int(1)));
    assert!(matches!(relay.check(), Answer::Unknown(Unknown::Unsupported(_))));
}

/// A slice that is over at once is no answer: the next round is longer.
#[test]
fn time_that_was_too_short_becomes_longer() {
    let mut relay = Relay::new(vec![blaster(), z3()], Duration::from_nanos(1));
    relay.assert(eq(Term::var("x", Sort::bv(32)), Term::var("y", Sort::bv(32))));
    assert_eq!(relay.check(), Answer::Sat);
}
