//! Proofs that must be accepted, and broken ones that must not.

use certify::check_proof;
use engine::{Invariant, Proof};
use ir::{LocId, Program};
use solver::{Profile, Z3};
use term::{Sort, Term, build};

/// A counter from 0 up to n; the error location is reached if it is negative at the end.
const COUNTER: &str = r#"
program "counter.c" lp64 entry main
property P0 unreach-call "assertion"
procedure main() {
  local i: int
  local n: int
  location L5 error P0
  L0 -> L2: i := 0
  L2 -> L3: assume (< i n)
  L3 -> L2: i := (+ i 1)
  L2 -> L4: assume (not (< i n))
  L4 -> L5: assume (< i 0)
  L4 -> L1: assume (not (< i 0))
}
"#;

fn program() -> Program {
    ir::parse(COUNTER).unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// Checks invariants given by location; `expected` is the beginning of the complaint, or empty.
fn check(invariants: &[(u32, Term)], expected: &str) {
    let program = program();
    let invariants = invariants.iter().map(|(location, formula)| Invariant {
        procedure: program.entry,
        location: LocId(*location),
        formula: *formula,
    });
    let proof = Proof::Invariants(invariants.collect());
    let complaint = match check_proof(&program, &proof, &|| Box::new(Z3::new(Profile::Incremental))) {
        Ok(()) => String::new(),
        Err(rejected) => rejected.to_string(),
    };
    assert!(complaint.starts_with(expected) && complaint.is_empty() == expected.is_empty(), "{complaint}");
}

fn at_least(bound: i64) -> Term {
    build::le(build::int(bound), Term::var("i", Sort::int()))
}

#[test]
fn an_inductive_invariant_is_accepted() {
    check(&[(0, build::truth()), (2, at_least(0))], "");
}

#[test]
fn a_formula_that_is_not_inductive_is_refused() {
    let zero = build::eq(Term::var("i", Sort::int()), build::int(0));
    check(&[(0, build::truth()), (2, zero)], "the invariants are not inductive");
}

#[test]
fn a_formula_that_is_too_weak_is_refused() {
    check(&[(0, build::truth()), (2, at_least(-1))], "the invariants are not inductive");
}

#[test]
fn a_cycle_without_an_invariant_is_refused() {
    check(&[(0, build::truth())], "no invariant cuts a cycle");
}

#[test]
fn a_formula_that_does_not_hold_at_the_start_is_refused() {
    check(&[(0, at_least(0)), (2, at_least(0))], "the invariant of the entry");
}

#[test]
fn an_error_location_must_have_no_states() {
    check(&[(0, build::truth()), (2, build::truth()), (5, build::truth())], "the invariant of an error location");
}

#[test]
fn a_connected_error_location_is_not_unconnected() {
    let program = program();
    assert!(check_proof(&program, &Proof::Unconnected, &|| Box::new(Z3::new(Profile::Incremental))).is_err());
}
