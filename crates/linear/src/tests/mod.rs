//! Small programs over integers in the textual form, with what the engine must say of them; proofs are checked.

mod figures;
mod random;

use crate::{Linear, Options};
use engine::{Cancel, Engine, Invariant, Proof, Run, Statistics, Verdict};
use ir::{Program, parse};
use solver::{Profile, Z3};
use std::time::Duration;
use term::build::{and, eq};

/// Random programs may have infinitely many path edges: these are left open.
const LIMIT: Duration = Duration::from_millis(400);

fn parsed(text: &str) -> Program {
    let program = parse(text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    ir::validate(&program).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    program
}

/// Whether a program is safe, as the engine says; proofs are checked. `None` for UNKNOWN.
fn verdict(program: &Program, options: Options) -> (Option<bool>, Statistics) {
    let mut run = Run::new(Some(LIMIT), None, Cancel::new());
    let answer = match (Linear { options }).check(program, &mut run) {
        Verdict::True(proof) => {
            let checked = certify::check_proof(program, &proof, &|| Box::new(Z3::new(Profile::Incremental)));
            assert_eq!(checked, Ok(()), "{}\n{proof:?}", ir::print(program));
            Some(true)
        }
        Verdict::False(trace) => {
            assert!(!trace.steps.is_empty());
            Some(false)
        }
        Verdict::Unknown(why) => {
            println!("{why}");
            None
        }
    };
    (answer, run.statistics)
}

const RECURSION: &str = "property p unreach-call\nglobal g: int\nprocedure main() {\nlocal n: int\nlocation bad error p\n\
     entry -> Q0: g := 0\nQ0 -> Q1: assume (and (<= 0 n) (<= n 4))\nQ1 -> Q2: call f(n)\n\
     Q2 -> bad: assume (not (= g (* n 2)))\nQ2 -> exit: assume (= g (* n 2))\n}\n\
     procedure f(k: int) {\nentry -> exit: assume (<= k 0)\nentry -> M: assume (< 0 k)\n\
     M -> N: g := (+ g 2)\nN -> exit: call f((- k 1))\n}\n";

#[test]
fn recursion_has_summaries() {
    let program = parsed(RECURSION);
    assert_eq!(verdict(&program, Options::default()).0, Some(true));
}

/// A summary says what a procedure makes of the values at its entry; one that says something else is refused.
#[test]
fn wrong_summaries_are_refused() {
    let program = parsed(RECURSION);
    let engine = Linear { options: Options::default() };
    let Verdict::True(Proof::Invariants(mut invariants)) = engine.check(&program, &mut Run::unlimited()) else {
        panic!("no proof")
    };
    let g = program.globals[0].term;
    let check = |invariants: &[Invariant]| {
        let proof = Proof::Invariants(invariants.to_vec());
        certify::check_proof(&program, &proof, &|| Box::new(Z3::new(Profile::Incremental)))
    };
    assert_eq!(check(&invariants), Ok(()));
    let exit = program.procedures[1].body.as_ref().expect("a body").exit();
    for told in &mut invariants {
        if (told.procedure, told.location) == (ir::ProcId(1), exit) {
            told.formula = and([told.formula, eq(g, g.at_instance(1))]);
        }
    }
    assert!(check(&invariants).is_err());
}
