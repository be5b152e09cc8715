//! Small programs in the textual form, with what the engine must say of them; proofs are checked.

use crate::Explicit;
use engine::{Engine, Run, Verdict};
use ir::parse;
use solver::{Profile, Z3};

/// What is said of a program with these edges: the number of steps of a violation, 0 for a proof, or the beginning of the reason.
fn check(edges: &str, expected: Result<usize, &str>) {
    let text = format!(
        "property p unreach-call\nprocedure main() {{\nlocal s: bv32\nlocal i: bv32\nlocal j: bv32\nlocal b: bool\nlocal m: (Array bv32 bv32)\n\
         location bad error p\n{edges}\n}}\n"
    );
    let program = parse(&text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let said = match Explicit.check(&program, &mut Run::unlimited()) {
        Verdict::True(proof) => {
            let checked = certify::check_proof(&program, &proof, &|| Box::new(Z3::new(Profile::Incremental)));
            assert_eq!(checked, Ok(()), "{edges}");
            Ok(0)
        }
        Verdict::False(trace) => Ok(trace.steps.len()),
        Verdict::Unknown(why) => Err(why.to_string()),
    };
    match (said, expected) {
        (Ok(steps), Ok(expected)) => assert_eq!(steps, expected, "{edges}"),
        (Err(why), Err(expected)) => assert!(why.starts_with(expected), "{why}: {edges}"),
        (said, _) => panic!("{said:?}: {edges}"),
    }
}

/// A machine that goes on with the input 3 in state 0 and 5 in state 1, and returns to state 0 with any other.
fn machine(bad: u32) -> String {
    format!(
        "entry -> h: s := #x00000000\nh -> k: havoc i\n\
         k -> bad: assume (= s #x0000000{bad})\nk -> l: assume (not (= s #x0000000{bad}))\n\
         l -> h0: assume (and (= s #x00000000) (= i #x00000003))\nh0 -> h: s := #x00000001\n\
         l -> h1: assume (and (= s #x00000001) (= i #x00000005))\nh1 -> h: s := #x00000002\n\
         l -> h2: assume (not (or (and (= s #x00000000) (= i #x00000003)) (and (= s #x00000001) (= i #x00000005))))\n\
         h2 -> h: s := #x00000000"
    )
}

#[test]
fn machines_with_few_states_are_decided() {
    check(&machine(3), Ok(0));
    check(&machine(2), Ok(11));
}

#[test]
fn inputs_that_are_kept_are_sets_of_numbers() {
    let kept = |bad: &str| {
        format!(
            "entry -> a: havoc i\na -> h: assume (bvult i #x00000064)\nh -> k: havoc j\nk -> h: assume (bvult j i)\n\
             k -> bad: assume {bad}"
        )
    };
    check(&kept("(bvult #x00000063 i)"), Ok(0));
    check(&kept("(= i #x00000063)"), Ok(4));
}

#[test]
fn what_states_do_not_tell() {
    let copied = |bad: &str| format!("entry -> a: havoc i\na -> h: j := i\nh -> h: b := true\nh -> bad: assume {bad}");
    check(&copied("(not (= i j))"), Ok(0));
    check(&copied("(bvult j i)"), Ok(0));
    let between =
        "entry -> h: b := true\nh -> k: havoc i, j\nk -> l: assume (bvult i j)\nl -> h: b := false\nl -> bad: assume";
    check(&format!("{between} (bvult j i)"), Ok(0));
    check(&format!("{between} (= i (bvsub j #x00000007))"), Ok(4));
    check(
        "entry -> a: havoc i, j\na -> h: assume (bvult i j)\nh -> h: havoc b\nh -> bad: assume (bvult j i)",
        Err("whether a violation is possible"),
    );
}

#[test]
fn elements_of_maps_are_known_where_they_were_written() {
    let written = |bad: &str| {
        format!(
            "entry -> h: m := (store m #x00000000 #x00000005)\nh -> k: havoc i\n\
             k -> h: m := (store m #x00000001 i)\nh -> bad: assume {bad}"
        )
    };
    check(&written("(not (= (select m #x00000000) #x00000005))"), Ok(0));
    check(&written("(= (select m #x00000001) #x00000007)"), Ok(2));
    let kept = |bad: &str| {
        format!(
            "entry -> a: havoc i\na -> c: assume (bvult i #x00000064)\nc -> d: m := (store m #x00000000 i)\n\
             d -> h: i := #x00000000\nh -> k: havoc j\nk -> h: assume (bvult j (select m #x00000000))\n\
             h -> bad: assume {bad}"
        )
    };
    check(&kept("(bvult #x00000063 (select m #x00000000))"), Ok(0));
    check(&kept("(= #x00000063 (select m #x00000000))"), Ok(5));
    let copied = "entry -> a: havoc i\na -> c: m := (store m #x00000000 i)\nc -> h: s := (bvadd i #x00000001)\n\
        h -> h: b := true\nh -> bad: assume (not (= s (bvadd (select m #x00000000) #x00000001)))";
    check(copied, Ok(0));
}
