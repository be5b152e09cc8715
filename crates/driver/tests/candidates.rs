//! Constants that are to be inferred (`{:existential true}`): which survive, and that the verdict is about the program with these.

use driver::check::{Settings, check};
use driver::load::Request;
use driver::report::Outcome;
use engine::Cancel;
use std::path::Path;

/// What becomes of a program, and what is said about its candidates.
fn verdict(name: &str, text: &str) -> (String, String) {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("candidates_{name}.bpl"));
    std::fs::write(&file, text).expect("a file for the test");
    let settings = Settings { engine: "stratified".into(), ..Settings::default() };
    let report = check(&Request { file, ..Request::default() }, settings, Cancel::new()).expect("a program");
    let outcome = match report.outcome {
        Outcome::Holds(_) => "holds".to_string(),
        Outcome::Violated(_) => "violated".to_string(),
        Outcome::Unknown(why) => why.to_string(),
    };
    (outcome, report.remarks.join("\n"))
}

fn check_kept(name: &str, text: &str, outcome: &str, kept: &str, dropped: &str) {
    let remark = format!("of the candidates, these hold: {kept}; these do not: {dropped}");
    assert_eq!(verdict(name, text), (outcome.to_string(), remark), "{text}");
}

/// Preconditions, postconditions and invariants that need each other.
const COUNTER: &str = "\
const {:existential true} given: bool;\nconst {:existential true} grows: bool;\nconst {:existential true} strictly: bool;\n\
const {:existential true} kept: bool;\nconst {:existential true} index: bool;\nconst {:existential true} result: bool;\n\
const {:existential true} more: bool;\n\
var g: int;\n\
procedure step(n: int)\n  requires given ==> n >= 0;\n  modifies g;\n  ensures grows ==> g >= old(g);\n  \
ensures strictly ==> g > old(g);\n{\n  g := g + n;\n}\n\
procedure {:entrypoint} main()\n  modifies g;\n  ensures result ==> g >= 0;\n  ensures more ==> g > 0;\n{\n  var i: int;\n  \
g := 0;\n  i := 0;\n  while (i < 10)\n    invariant kept ==> g >= 0;\n    invariant index ==> i >= 0;\n  {\n    \
call step(i);\n    i := i + 1;\n  }\n  assert g >= 0;\n}\n";

#[test]
fn the_largest_inductive_set_survives() {
    check_kept("counter", COUNTER, "holds", "given, grows, kept, index, result", "strictly, more");
}

/// What one candidate was needed for goes with it. The result is known from the assertion before it.
#[test]
fn what_depends_on_a_dropped_one_is_dropped() {
    let text = COUNTER.replace("invariant index ==> i >= 0", "invariant index ==> i > 0");
    check_kept("chain", &text, "holds", "result", "given, grows, strictly, kept, index, more");
    let text = text.replace("assert g >= 0", "assert g >= 0 || g < 0");
    check_kept("chain_to_the_end", &text, "holds", "none", "given, grows, strictly, kept, index, result, more");
}

/// Candidates excuse nothing: what is asserted without them must hold. No execution goes on where it does not.
#[test]
fn other_assertions_are_about_all_executions() {
    let text = COUNTER.replace("assert g >= 0", "assert g >= 46");
    check_kept("violated", &text, "violated", "given, grows, kept, index, result, more", "strictly");
}

/// Jumps make loops too; the assertions that a head begins with are its invariants.
#[test]
fn loops_of_jumps_have_invariants() {
    let text = "const {:existential true} even: bool;\nconst {:existential true} small: bool;\nprocedure main()\n{\n  var x: int;\n\
                entry:\n  x := 0;\n  goto head;\nhead:\n  assert even ==> x mod 2 == 0;\n  assert small ==> x < 8;\n  \
                goto body, done;\nbody:\n  x := x + 2;\n  goto head;\ndone:\n  assert x != 7;\n  return;\n}\n";
    check_kept("jumps", text, "holds", "even", "small");
}

/// Nobody checks what a procedure ensures that has no implementation, so that it is taken as it is said.
#[test]
fn contracts_without_implementation_are_believed() {
    let text = "const {:existential true} told: bool;\nvar g: int;\nprocedure outside();\n  modifies g;\n  ensures told ==> g == 5;\n\
                procedure main()\n  modifies g;\n{\n  call outside();\n  assert g == 5;\n}\n";
    check_kept("outside", text, "holds", "told", "none");
}

#[test]
fn what_cannot_be_inferred_is_refused() {
    let threads = "const {:existential true} b: bool;\nvar g: int;\nprocedure other() modifies g;\n{\n  g := 1;\n}\n\
                   procedure main() modifies g;\n{\n  async call other();\n  assert b ==> g == 0;\n}\n";
    let (outcome, _) = verdict("threads", threads);
    assert!(outcome.contains("a constant that is to be inferred in a program with threads"), "{outcome}");
}
