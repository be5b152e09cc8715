//! Formulas for all procedures of a program with calls: right ones must be accepted, and broken ones must not.

use certify::check_proof;
use engine::{Invariant, Proof};
use ir::{LocId, ProcId, Program};
use solver::{Profile, Z3};
use term::build::{and, bv, bv_ult, eq, falsehood, truth};
use term::{Sort, Term};

/// `f` returns its argument, counts its calls in `g`, fails when the argument is large, and may call itself. `main` keeps `k`.
const PROGRAM: &str = r#"
program "calls.c" lp64 entry main
global g: bv8
global h: bv8
property P0 unreach-call "argument"
property P1 unreach-call "result"
procedure f(a: bv8) returns (r: bv8) {
  local n: bv8
  location L2 error P0
  L0 -> L2: assume (not (bvult a #x0a))
  L0 -> L3: assume (bvult a #x0a)
  L3 -> L4: g := (bvadd g #x01)
  L4 -> L5: n := call f(a)
  L4 -> L1: r := a
  L5 -> L1: r := n
}
procedure main() {
  local k: bv8
  local x: bv8
  location L2 error P1
  L0 -> L3: h := #x05, k := #x03
  L3 -> L4: x := call f(k)
  L4 -> L2: assume (not (bvult x #x0a))
  L4 -> L5: assume (bvult x #x0a)
  L5 -> L2: assume (not (= k #x03))
  L5 -> L6: assume (= k #x03)
  L6 -> L2: assume (not (= h #x05))
  L6 -> L1: assume (= h #x05)
}
"#;

fn variable(name: &str) -> Term {
    Term::var(name, Sort::bv(8))
}

fn below(name: &str, most: u128) -> Term {
    bv_ult(variable(name), bv(8, most))
}

fn is(name: &str, value: u128) -> Term {
    eq(variable(name), bv(8, value))
}

/// What is said of locations of the two procedures.
type Said = [Vec<(u32, Term)>; 2];

/// A proof that is right.
fn right() -> Said {
    let (small, known) = (below("a", 10), and([is("k", 3), is("h", 5)]));
    let f = vec![
        (0, small),
        (1, below("r", 10)),
        (2, falsehood()),
        (3, small),
        (4, small),
        (5, and([small, below("n", 10)])),
    ];
    let main =
        vec![(0, truth()), (2, falsehood()), (3, known), (4, and([known, below("x", 10)])), (5, known), (6, known)];
    [f, main]
}

/// Checks what is said after a change; `expected` is a part of the complaint, or empty.
fn check(change: impl FnOnce(&mut Said), expected: &str) {
    check_program(PROGRAM, change, expected);
}

fn check_program(text: &str, change: impl FnOnce(&mut Said), expected: &str) {
    let program: Program = ir::parse(text).unwrap_or_else(|errors| panic!("{errors:?}"));
    let mut said = right();
    change(&mut said);
    let invariants = (0..).map(ProcId).zip(said).flat_map(|(procedure, said)| {
        said.into_iter().map(move |(location, formula)| Invariant { procedure, location: LocId(location), formula })
    });
    let proof = Proof::Invariants(invariants.collect());
    let complaint = match check_proof(&program, &proof, &|| Box::new(Z3::new(Profile::Incremental))) {
        Ok(()) => String::new(),
        Err(rejected) => rejected.to_string(),
    };
    assert!(complaint.contains(expected) && complaint.is_empty() == expected.is_empty(), "{complaint}");
}

#[test]
fn what_follows_call_by_call_is_accepted() {
    check(|_| (), "");
}

#[test]
fn an_argument_must_be_what_the_entry_says() {
    check(|said| said[1][2].1 = and([is("k", 13), is("h", 5)]), "not inductive from location 0");
    check_program(&PROGRAM.replace("call f(k)", "call f(h)"), |_| (), "");
    check_program(&PROGRAM.replace("call f(k)", "call f(g)"), |_| (), "not inductive from location 3");
    // The call of itself counts, too.
    check_program(&PROGRAM.replace("n := call f(a)", "n := call f(n)"), |_| (), "not inductive from location 4");
}

#[test]
fn a_result_is_what_the_exit_says() {
    check(|said| said[0][1].1 = truth(), "not inductive from location 4");
    check(|said| said[0][1].1 = below("r", 9), "not inductive from location");
    check_program(&PROGRAM.replace("L4 -> L1: r := a", "L4 -> L1: r := g"), |_| (), "not inductive from location 4");
}

/// What a callee may change, directly or not, is not known behind a call.
#[test]
fn globals_that_a_call_changes_are_forgotten() {
    check(|said| said[1][2].1 = and([is("k", 3), is("h", 5), is("g", 0)]), "not inductive from location 0");
    let changes = PROGRAM.replace("g := (bvadd g #x01)", "h := (bvadd h #x01)");
    check_program(&changes, |_| (), "not inductive from location 3");
    let through = "L3 -> L4: call c()";
    let deeper =
        PROGRAM.replace("L3 -> L4: g := (bvadd g #x01)", through) + "procedure c() {\n  L0 -> L1: h := #x06\n}\n";
    check_program(&deeper, |_| (), "not inductive from location 3");
}

#[test]
fn errors_must_be_excluded_in_every_procedure() {
    check(|said| said[0][2].1 = truth(), "error location can hold");
    check(|said| said[0].clear(), "error location can hold");
    check(|said| said[1][1].1 = truth(), "error location can hold");
}

/// Execution may start with any values.
#[test]
fn nothing_is_known_at_the_start() {
    check(|said| said[1][0].1 = is("g", 0), "the entry does not hold initially");
}

/// What is read of memory may be anything, but the same bytes are the same.
#[test]
fn memory_is_opaque() {
    let program = |second: &str| {
        format!(
            "program \"m.c\" lp64 entry main\nglobal m: mem64\nglobal p: ptr64\nglobal q: ptr64\n\
             property P0 unreach-call \"\"\nprocedure f() {{\n  L0 -> L1\n}}\nprocedure main() {{\n  location L2 error P0\n\
             \u{20} L0 -> L3: assume (= ((_ load (_ BitVec 8)) m p) #x01)\n  L3 -> L4: call f()\n\
             \u{20} L4 -> L2: assume (not (= ((_ load (_ BitVec 8)) m {second}) #x01))\n  L4 -> L1\n}}\n"
        )
    };
    for (second, expected) in [("p", ""), ("q", "not inductive from location 4")] {
        let parsed = ir::parse(&program(second)).unwrap_or_else(|errors| panic!("{errors:?}"));
        let cfa = parsed.procedure(ProcId(1)).body.as_ref().expect("a body");
        let mut guards = cfa.edges().filter_map(|(_, edge)| match edge.op {
            ir::Op::Assume(condition) => Some((edge.from, condition)),
            _ => None,
        });
        let known = guards.find(|(from, _)| *from == LocId(0)).map(|(_, condition)| condition).expect("a guard");
        let said = [(2, falsehood()), (3, known), (4, known)];
        check_program(&program(second), |all| *all = [Vec::new(), said.to_vec()], expected);
    }
}
