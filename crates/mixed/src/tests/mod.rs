//! Small programs in the textual form, with what the engine must say of them; proofs are checked.

mod figures;
mod random;

use crate::{Mixed, Options, Represent, Strategy, view};
use engine::{Engine, Run, Verdict};
use ir::parse;
use solver::{Profile, Z3};

const STRATEGIES: [Strategy; 4] = [Strategy::Plain, Strategy::Frontier, Strategy::ReachFrontier, Strategy::Lockstep];
const REPRESENTATIONS: [Represent; 3] = [Represent::Auto, Represent::Bits, Represent::Integers];

/// What is said of a program: whether it is safe; each way must say it.
fn check(text: &str, safe: bool) {
    let program = parse(text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let smt = Z3::new(Profile::Incremental);
    for represent in REPRESENTATIONS {
        let passed = view(&program, represent).expect("an integers view");
        for strategy in STRATEGIES {
            for live in [true, false] {
                let engine = Mixed { options: Options { strategy, live, represent, ..Options::default() } };
                let what = format!("{strategy:?}, {represent:?}, live {live}\n{text}");
                match engine.check(&passed.program, &mut Run::unlimited()) {
                    Verdict::True(proof) => {
                        assert!(safe, "{what}");
                        let check = passed.lift.to_check(&passed.program, proof);
                        let solver = || -> Box<dyn solver::Smt> { Box::new(smt.sibling(Profile::Incremental)) };
                        for (program, formulas) in check.presumed {
                            assert_eq!(certify::check_invariants(program, formulas, &solver), Ok(()), "{what}");
                        }
                        let checked = certify::check_proof(check.program, &check.proof, &solver);
                        assert_eq!(checked, Ok(()), "{what}\n{:?}", check.proof);
                    }
                    Verdict::False(trace) => {
                        assert!(!safe, "{what}");
                        assert!(!passed.lift.trace(trace).steps.is_empty(), "{what}");
                    }
                    Verdict::Unknown(why) => panic!("{why}: {what}"),
                }
            }
        }
    }
}

fn program(variables: &str, edges: &str) -> String {
    let locals: String = variables.split(", ").map(|variable| format!("local {variable}\n")).collect();
    format!("property p unreach-call\nprocedure main() {{\n{locals}location bad error p\n{edges}\n}}\n")
}

#[test]
fn counters() {
    let counter = |bad: &str| {
        program(
            "i: bv8, j: bv8",
            &format!(
                "entry -> h: i := #x00, j := #x00\nh -> k: assume (bvult i #x0a)\nk -> h: i := (bvadd i #x01), j := (bvadd j #x02)\n\
                 h -> l: assume (not (bvult i #x0a))\nl -> bad: assume {bad}"
            ),
        )
    };
    check(&counter("(not (= j #x14))"), true);
    check(&counter("(= j #x14)"), false);
}

#[test]
fn reals_and_integers() {
    let stepped = |bad: &str| {
        program(
            "x: real, n: int, b: bool",
            &format!(
                "entry -> a: havoc n, x\na -> h: assume (and (<= 0 n) (<= n 5) (<= 0.0 x) (<= x 1.0))\n\
                 h -> k: assume (< 0 n)\nk -> h: n := (- n 1), x := (/ x 2.0), b := (< x 0.5)\n\
                 h -> l: assume (not (< 0 n))\nl -> bad: assume {bad}"
            ),
        )
    };
    check(&stepped("(< 1.0 x)"), true);
    check(&stepped("(and (< 0.2 x) b (< x 0.25))"), false);
}

#[test]
fn inputs() {
    let text = program(
        "i: bv32, j: bv32",
        "entry -> h: i := #x00000000\nh -> k: havoc j\nk -> m: assume (bvult j #x00000064)\nm -> h: i := (bvmul j #x00000003)\n\
         h -> bad: assume (= i #x00000064)",
    );
    check(&text, true);
    check(&text.replace("(= i #x00000064)", "(= i #x00000063)"), false);
}
