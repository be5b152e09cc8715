//! What "Software Model Checking via Large-Block Encoding" counts on its family `test_locks_N` (Table III).

use bench::programs::locks;
use driver::check::{Settings, check};
use driver::engines::predicate::{Abstraction, Encoding, Options};
use driver::load::Request;
use driver::report::Outcome;
use engine::{Cancel, Statistic};
use std::path::Path;

/// Proves that `n` locks are used well: the nodes of the tree, refinements and predicates.
fn counts(n: usize, options: Options) -> [u64; 3] {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("locks_{n}_{:?}.c", options.encoding));
    std::fs::write(&file, locks(n)).expect("a file for the test");
    let request = Request { file, properties: vec!["unreach-label:ERROR".into()], ..Request::default() };
    let settings = Settings {
        engine: "predicate".into(),
        options: driver::engines::Options { predicate: options, ..Default::default() },
        no_execution: true,
        ..Settings::default()
    };
    let report = check(&request, settings, Cancel::new()).expect("a program");
    assert!(matches!(report.outcome, Outcome::Holds(_)), "{n}: {:?}", report.outcome);
    let (_, figures) = &report.statistics[0];
    ["ART nodes", "refinements", "predicates"].map(|name| match figures.get(name) {
        Some(Statistic::Count(count)) => *count,
        other => panic!("{name}: {other:?}"),
    })
}

/// The whole body of the loop is one edge, and no edge to the error location can be taken.
#[test]
fn the_tree_of_large_blocks_does_not_grow() {
    for n in (1..=30).chain([100]) {
        assert_eq!(counts(n, Options::default()), [4, 0, 0], "{n} locks");
    }
}

/// Each lock doubles the ways through the body.
#[test]
fn the_tree_of_single_blocks_grows_exponentially() {
    let options = Options { encoding: Encoding::Single, abstraction: Abstraction::Cartesian, ..Options::default() };
    let nodes = [1, 2, 3, 4].map(|n| counts(n, options)[0]);
    for pair in nodes.windows(2) {
        assert!(pair[1] * 10 >= pair[0] * 18, "{nodes:?}");
    }
}
