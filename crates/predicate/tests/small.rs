//! Small programs in the textual form, with both encodings and both abstractions.

use engine::{Engine, Run, Verdict};
use predicate::{Abstraction, Coverage, Encoding, Options, Predicate};

/// Checks a program with every combination that the paper compares; `expected` is the first letter of the verdict.
fn check(text: &str, expected: &str) {
    let program = ir::parse(text).unwrap_or_else(|errors| panic!("{errors:?}"));
    ir::validate(&program).unwrap_or_else(|errors| panic!("{errors:?}"));
    for encoding in [Encoding::Large, Encoding::Single, Encoding::Adjustable(3)] {
        for abstraction in [Abstraction::Boolean, Abstraction::Cartesian] {
            let coverage = if encoding == Encoding::Single { Coverage::Node } else { Coverage::Union };
            let options = Options { encoding, abstraction, coverage, ..Options::default() };
            let mut run = Run::unlimited();
            let verdict = Predicate { options, ..Predicate::default() }.check(&program, &mut run);
            let letter = match &verdict {
                Verdict::True(_) => "T",
                Verdict::False(_) => "F",
                Verdict::Unknown(_) => "U",
            };
            assert_eq!(letter, expected, "{options:?}: {verdict:?}\n{:?}", run.statistics);
        }
    }
}

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

#[test]
fn a_counter_never_gets_negative() {
    check(COUNTER, "T");
}

#[test]
fn a_counter_gets_to_three() {
    check(&COUNTER.replace("L4 -> L5: assume (< i 0)", "L4 -> L5: assume (= i 3)"), "F");
}

/// The same with machine integers.
const VECTORS: &str = r#"
program "counter.c" lp64 entry main
property P0 unreach-call "assertion"
procedure main() {
  local i: bv32
  local n: bv32
  local s: bv32
  location L5 error P0
  L0 -> L2: i := #x00000000, s := #x00000000
  L2 -> L3: assume (bvslt i n)
  L3 -> L2: i := (bvadd i #x00000001), s := (bvadd s #x00000002)
  L2 -> L4: assume (not (bvslt i n))
  L4 -> L5: assume (bvslt i #x00000000)
  L4 -> L1: assume (not (bvslt i #x00000000))
}
"#;

#[test]
fn a_machine_counter_never_gets_negative() {
    check(VECTORS, "T");
}

#[test]
fn a_machine_counter_gets_to_three() {
    check(&VECTORS.replace("L4 -> L5: assume (bvslt i #x00000000)", "L4 -> L5: assume (= s #x00000006)"), "F");
}

/// Two edges between the same locations, neither of which excludes the other: the execution takes the one that was meant.
const WAYS: &str = r#"
program "ways.c" lp64 entry main
property P0 unreach-call "assertion"
procedure main() {
  local x: bv8
  location L5 error P0
  L0 -> L2: x := #x03
  L2 -> L3: x := #x04
  L2 -> L3: x := #x05
  L2 -> L3: x := #x06
  L3 -> L4: skip
  L4 -> L5: assume (= x #x05)
  L4 -> L3: x := (bvadd x #x04)
}
"#;

#[test]
fn one_of_several_ways_is_meant() {
    check(WAYS, "F");
}
