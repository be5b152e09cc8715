//! A short search by the fuzzer of examples/fuzz, always the same.

#[path = "../examples/fuzz/mutate.rs"]
mod mutate;
#[path = "../examples/fuzz/target.rs"]
mod target;

use std::path::Path;
use target::{Corpus, Target};

fn check(target: Target, executions: u64) {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases");
    let corpus = Corpus::new(target, 1, &[cases]);
    assert!(corpus.len() > 100, "only {} texts", corpus.len());
    let mut programs = 0;
    for number in 0..executions {
        let input = corpus.input(number);
        programs += u64::from(corpus.execute(number, &input));
    }
    assert!(programs > executions / 50, "only {programs} of {executions} inputs are programs, so they test little");
}

#[test]
fn c_programs() {
    check(Target::C, 3_000);
}

#[test]
fn textual_ir() {
    check(Target::Ir, 5_000);
}
