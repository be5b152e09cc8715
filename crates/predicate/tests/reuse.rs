//! Predicates of one run in another.

use engine::{Engine, Run, Statistic, Verdict};
use predicate::{LeftOut, Predicate, Reuse};
use std::sync::Arc;

/// Intervals know nothing of `b`: that it holds in the last state takes predicates.
const STATES: &str = r#"
program "states.c" lp64 entry main
property P0 unreach-call "assertion"
procedure main() {
  local s: int
  local b: bool
  location L5 error P0
  L0 -> L2: s := 0, b := false
  L2 -> L3: assume (= s 0)
  L3 -> L2: s := 1
  L2 -> L4: assume (= s 1)
  L4 -> L2: s := 2, b := true
  L2 -> L5: assume (and (= s 2) (not b))
  L2 -> L1: assume (and (= s 2) b)
}
"#;

/// What was kept, how often the run refined, and what it left out of what it was given.
struct Ran {
    kept: String,
    refinements: u64,
    left_out: Option<LeftOut>,
}

/// Checks a program that has its property.
fn run(text: &str, given: Option<&str>) -> Ran {
    let program = ir::parse(text).unwrap_or_else(|errors| panic!("{errors:?}"));
    let reuse = Arc::new(Reuse::new(given.map(String::from)));
    let mut run = Run::unlimited();
    let verdict = Predicate { reuse: Some(reuse.clone()), ..Predicate::default() }.check(&program, &mut run);
    assert!(matches!(verdict, Verdict::True(_)), "{verdict:?}");
    let Some(Statistic::Count(refinements)) = run.statistics.get("refinements") else { panic!("{:?}", run.statistics) };
    Ran { kept: reuse.kept(), refinements: *refinements, left_out: reuse.left_out() }
}

/// How many predicates a text has.
fn predicates(text: &str) -> usize {
    text.lines().filter(|line| line.starts_with('L')).count()
}

#[test]
fn the_same_program_needs_no_refinement() {
    let first = run(STATES, None);
    assert!(first.refinements > 0 && predicates(&first.kept) > 0, "{}", first.kept);
    assert_eq!(first.left_out, None);
    let second = run(STATES, Some(&first.kept));
    assert_eq!(second.refinements, 0, "{}", first.kept);
    assert_eq!(second.left_out, Some(LeftOut { predicates: 0, of: predicates(&first.kept) }));
    assert_eq!(second.kept, first.kept);
}

/// A state more in front changes all numbers of locations, but what is to be known is the same.
#[test]
fn another_version_begins_with_what_fits() {
    let first = run(STATES, None);
    let longer = STATES.replace("L0 -> L2: s", "L0 -> L6: s := 7\n  L6 -> L2: s");
    let second = run(&longer, Some(&first.kept));
    assert_eq!((second.refinements, second.left_out.map(|out| out.predicates)), (0, Some(0)), "{}", first.kept);
    assert_ne!(second.kept.lines().nth(1), first.kept.lines().nth(1), "another program has another number");

    let renamed = STATES.replace(" b", " c").replace("(not b)", "(not c)").replace(": cool", ": bool");
    let third = run(&renamed, Some(&first.kept));
    let about_b = first.kept.lines().filter(|line| line.starts_with('L') && line.contains('b')).count();
    assert!(about_b > 0, "{}", first.kept);
    assert_eq!(third.left_out, Some(LeftOut { predicates: about_b, of: predicates(&first.kept) }), "{}", first.kept);
    assert!(third.refinements > 0);
}

#[test]
fn what_is_no_predicate_is_left_out() {
    let text = "what is this\nprogram x\nL2 (= s\nL2 (+ s 1)\nL2 (= (as t Int) 1)\nL2 ((as f (Int) Bool) s)\nL2 (= s@3 1)\nM2 b\nL2 b\n";
    let ran = run(STATES, Some(text));
    assert_eq!(ran.left_out, Some(LeftOut { predicates: 7, of: 8 }));
}
