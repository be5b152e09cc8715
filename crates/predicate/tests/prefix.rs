//! Which contradiction of a path is refined decides how often a loop is unwound.

use engine::{Engine, Run, Statistic, Verdict};
use predicate::{Options, Predicate, Prefix};

/// The shortest path to the error contradicts itself twice: the first loop is left too soon, and `b` and `d` are never both true. Of the
/// counter, one would learn a round at a time.
const PROGRAM: &str = r#"
program "prefix.c" lp64 entry main
property P0 unreach-call "assertion"
procedure main() {
  local i: int
  local b: bool
  local d: bool
  location L5 error P0
  L0 -> L7: havoc b
  L7 -> L2: i := 0, d := (not b)
  L2 -> L3: assume (< i 100)
  L3 -> L2: i := (+ i 1)
  L2 -> L6: assume (= i 5)
  L6 -> L4: assume (< i 100)
  L4 -> L6: i := (+ i 1)
  L6 -> L5: assume (and b d)
  L6 -> L1: assume (not b)
}
"#;

fn refinements(prefix: Prefix) -> u64 {
    let program = ir::parse(PROGRAM).unwrap_or_else(|errors| panic!("{errors:?}"));
    let mut run = Run::unlimited();
    let options = Options { prefix, ..Options::default() };
    let verdict = Predicate { options, ..Predicate::default() }.check(&program, &mut run);
    assert!(matches!(verdict, Verdict::True(_)), "{prefix:?}: {verdict:?}");
    match run.statistics.get("refinements") {
        Some(Statistic::Count(count)) => *count,
        other => panic!("{other:?}"),
    }
}

#[test]
fn flags_are_tracked_before_counters() {
    assert_eq!([Prefix::Domain, Prefix::Longest].map(refinements), [1, 1]);
    assert!(refinements(Prefix::Shortest) > 1);
    assert!(refinements(Prefix::Whole) > 0);
}
