//! Proofs that must be accepted, and broken ones that must not.

use certify::{check_invariants, check_proof};
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

/// Formulas at locations.
fn at(formulas: &[(u32, Term)]) -> Vec<Invariant> {
    let procedure = program().entry;
    let invariant =
        |(location, formula): &(u32, Term)| Invariant { procedure, location: LocId(*location), formula: *formula };
    formulas.iter().map(invariant).collect()
}

/// Checks invariants given by location; `expected` is the beginning of the complaint, or empty.
fn check(invariants: &[(u32, Term)], expected: &str) {
    check_proof_of(&program(), Proof::Invariants(at(invariants)), expected);
}

fn check_proof_of(program: &Program, proof: Proof, expected: &str) {
    let complaint = match check_proof(program, &proof, &|| Box::new(Z3::new(Profile::Incremental))) {
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

/// The counter up to 4, in steps of an input that is 1 or 2; its states are listed.
#[test]
fn listed_states_are_followed() {
    let (i, n) = (Term::var("i", Sort::bv(8)), Term::var("n", Sort::bv(8)));
    let text =
        COUNTER.replace(": int", ": (_ BitVec 8)").replace("i := 0", "i := #x00").replace("(+ i 1)", "(bvadd i n)");
    let text = text.replace("(< i n)", "(bvult i #x04)").replace("(< i 0)", "(bvult #x05 i)");
    let text = text.replace("L2 -> L3:", "L2 -> L6: havoc n\n  L6 -> L7: assume (bvult n #x03)\n  L7 -> L3:");
    let program = ir::parse(&text).unwrap_or_else(|errors| panic!("{errors:?}"));
    let is = |value: u128| build::eq(i, build::bv(8, value));
    let listed = |values: &[u128]| build::or(values.iter().map(|value| is(*value)));
    let proof = |head: Term| Proof::Invariants(at(&[(0, build::truth()), (2, head)]));
    check_proof_of(&program, proof(listed(&[0, 1, 2, 3, 4, 5])), "");
    // The order of cases and what else they say does not matter.
    let more = build::or([build::and([is(5), build::bv_ule(n, build::bv(8, 2))]), listed(&[4, 3, 2, 1, 0])]);
    check_proof_of(&program, proof(more), "");
    // One that is missing, one that is wrong, and one that says too much.
    check_proof_of(&program, proof(listed(&[0, 1, 3, 4, 5])), "the invariants are not inductive");
    check_proof_of(&program, proof(listed(&[0, 1, 2, 3, 4, 5, 6])), "the invariants are not inductive");
    let narrow = build::or([build::and([is(5), build::eq(n, build::bv(8, 1))]), listed(&[0, 1, 2, 3, 4])]);
    check_proof_of(&program, proof(narrow), "the invariants are not inductive");
}

/// The counter up to a number, which leaves nothing open, or the first number, or the last.
#[test]
fn an_only_execution_must_be_the_only_one_and_end_without_a_violation() {
    let check = |first: &str, goes_on: &str, edges: u64, expected: &str| {
        let text = COUNTER.replace("i := 0", first).replace("(< i n)", goes_on);
        let program = ir::parse(&text).unwrap_or_else(|errors| panic!("{errors:?}"));
        check_proof_of(&program, Proof::Executed { edges }, expected);
    };
    check("i := 0", "(< i 3)", 9, "");
    check("i := 0", "(< i 3)", 4, "the only execution ends otherwise: Limit");
    check("i := 0", "(< i 3)", 10, "the execution has 9 edges");
    check("havoc i", "(< i 3)", 9, "the program leaves something open");
    check("i := 0", "(< i n)", 9, "the program leaves something open");
    check("i := (- 5)", "(< i (- 4))", 5, "the only execution ends otherwise: Violated");
}

/// Executions of the counter that are unwound from the entry and the head of the loop.
fn check_unwound(cuts: &[u32], parts: usize, by_induction: bool, known: &[(u32, Term)], expected: &str) {
    let cuts = cuts.iter().copied().map(LocId).collect();
    check_proof_of(&program(), Proof::Unwound { cuts, parts, by_induction, invariants: at(known) }, expected);
}

#[test]
fn executions_that_go_on_are_no_proof() {
    check_unwound(&[0, 2], 5, false, &[], "an error location can be reached");
}

#[test]
fn induction_needs_what_is_known() {
    let known = [(0, build::truth()), (2, at_least(0))];
    check_unwound(&[0, 2], 1, true, &known, "");
    check_unwound(&[0, 2], 1, true, &[], "the invariants are not inductive");
    check_unwound(&[0], 1, true, &known, "no cut lies on a cycle");
}

#[test]
fn what_is_known_must_be_inductive() {
    let zero = build::eq(Term::var("i", Sort::int()), build::int(0));
    check_unwound(&[0, 2], 1, true, &[(0, build::truth()), (2, zero)], "the invariants are not inductive");
}

#[test]
fn an_execution_to_an_error_is_no_proof() {
    let text = COUNTER.replace("(< i 0)", "(< 2 i)");
    let program = ir::parse(&text).unwrap_or_else(|errors| panic!("{errors:?}"));
    let cuts = vec![LocId(0), LocId(2)];
    let proof = Proof::Unwound { cuts, parts: 6, by_induction: true, invariants: Vec::new() };
    check_proof_of(&program, proof, "an error location can be reached");
}

/// An execution is the only one if nothing that is open can be read: here a map, at an element that was written or at another one.
#[test]
fn the_only_execution_reads_nothing_that_is_open() {
    let check = |last: &str, expected: &str| {
        let text = format!(
            "global m: (Array bv8 bv8)\nglobal x: bv8\nproperty p unreach-call\nprocedure main() {{\nlocation a\nlocation b\n\
             location bad error p\nentry -> a: m := (store m #x01 #x02)\na -> b: {last}\n\
             b -> bad: assume (= x #x07)\nb -> exit: assume (not (= x #x07))\n}}\n"
        );
        let program = ir::parse(&text).unwrap_or_else(|errors| panic!("{errors:?}"));
        check_proof_of(&program, Proof::Executed { edges: 3 }, expected);
    };
    check("x := #x00", "");
    check("x := (select m #x03)", "the program leaves something open");
    check("havoc x", "the program leaves something open");
}

/// Formulas for all six locations, which are checked edge by edge; `expected` is the beginning of the complaint, or empty.
fn check_everywhere(formulas: [Term; 6], expected: &str) {
    let invariants: Vec<(u32, Term)> = (0..).zip(formulas).collect();
    let complaint = match check_invariants(&program(), &at(&invariants), &|| Box::new(Z3::new(Profile::Incremental))) {
        Ok(()) => String::new(),
        Err(rejected) => rejected.to_string(),
    };
    assert!(complaint.starts_with(expected) && complaint.is_empty() == expected.is_empty(), "{complaint}");
}

#[test]
fn formulas_everywhere_are_checked_edge_by_edge() {
    let (any, never, counts) = (build::truth(), build::falsehood(), at_least(0));
    let (i, n) = (Term::var("i", Sort::int()), Term::var("n", Sort::int()));
    check_everywhere([any, any, counts, counts, counts, never], "");
    check_everywhere([any, counts, counts, build::and([counts, build::lt(i, n)]), counts, never], "");
    check_everywhere([counts, any, counts, counts, counts, never], "the invariant of the entry");
    check_everywhere(
        [any, any, at_least(1), at_least(1), at_least(1), never],
        "the invariants are not inductive from location 0",
    );
    check_everywhere([any, any, counts, any, counts, never], "the invariants are not inductive from location 3");
    check_everywhere([any, any, counts, counts, any, never], "the invariants are not inductive from location 4");
    check_everywhere([any, any, counts, never, counts, never], "the invariants are not inductive from location 2");
    let limit = build::le(n, i);
    check_everywhere([any, any, counts, counts, build::and([counts, limit]), never], "");
    check_everywhere([any, limit, counts, counts, counts, never], "the invariants are not inductive from location 4");
}
