//! What "A Solver for Reachability Modulo Theories" counts, on generated drivers: procedures inlined, and questions of the algorithms of
//! refinement.

use bench::drivers::{Driver, tree};
use driver::check::{Settings, check};
use driver::engines::stratified::Options;
use driver::load::Request;
use driver::report::Outcome;
use engine::{Cancel, Statistic, Statistics};
use std::path::Path;

const SMALL: Driver = Driver { routines: 3, depth: 2, shared: 7, globals: 40, loops: false, bug: false };

/// Whether the engine proves a program (`None`: it reached its bound), and what it counted.
fn decide(name: &str, text: &str, stratified: Options) -> (Option<bool>, Statistics) {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("corral_{name}.bpl"));
    std::fs::write(&file, text).expect("a file for the test");
    let settings = Settings {
        engine: "stratified".into(),
        options: driver::engines::Options { stratified, ..Default::default() },
        no_execution: true,
        ..Settings::default()
    };
    let report = check(&Request { file, ..Request::default() }, settings, Cancel::new()).expect("a program");
    let answer = match report.outcome {
        Outcome::Holds(_) => Some(true),
        Outcome::Violated(_) => Some(false),
        Outcome::Unknown(engine::Reason::BoundReached(_)) => None,
        Outcome::Unknown(why) => panic!("{name}: {why}"),
    };
    (answer, report.statistics[0].1.clone())
}

fn count(figures: &Statistics, name: &str) -> u64 {
    match figures.get(name) {
        Some(Statistic::Count(count)) => *count,
        other => panic!("{name}: {other:?}"),
    }
}

fn without_summaries() -> Options {
    Options { houdini: false, recursion_bound: Some(1), ..Options::default() }
}

#[test]
fn drivers_are_decided_with_fewer_bodies_than_static_inlining_needs() {
    for bug in [false, true] {
        // Small procedures are inlined before: what is shared must be more than that.
        let driver = Driver { depth: 3, shared: 30, bug, ..SMALL };
        let text = driver.text();
        let (answer, figures) = decide(&format!("demand_{bug}"), &text, without_summaries());
        assert_eq!(answer, Some(!bug));
        let all = Options { static_inlining: true, ..without_summaries() };
        let (answer, of_static) = decide(&format!("static_{bug}"), &text, all);
        assert_eq!(answer, Some(!bug));
        let inlined = count(&figures, "procedures inlined");
        assert!(inlined <= driver.procedures() as u64 + 10, "{inlined} bodies");
        let of_static = count(&of_static, "procedures inlined");
        assert!(of_static >= 2 * inlined, "{inlined} bodies, {of_static} by static inlining");
    }
}

/// 2^20 calls of the last procedure, none of which matters.
#[test]
fn a_tree_of_a_million_calls_takes_one_body() {
    for houdini in [false, true] {
        let (answer, figures) =
            decide(&format!("tree_{houdini}"), &tree(20), Options { houdini, ..without_summaries() });
        assert_eq!(answer, Some(true));
        assert!(count(&figures, "procedures inlined") <= 1);
    }
}

/// No bound on a loop that takes and releases the lock is enough without summaries.
#[test]
fn summaries_prove_drivers_with_loops() {
    let text = Driver { loops: true, ..SMALL }.text();
    assert_eq!(decide("loops", &text, without_summaries()).0, None);
    assert_eq!(decide("loops_summaries", &text, Options { houdini: true, ..without_summaries() }).0, Some(true));
}

/// Lemma 1 on the spurious paths of a driver: both algorithms of the paper ask O(k log n) questions for k variables of n, where
/// STORM's asks n; and all find the same variables.
#[test]
fn algorithms_of_refinement_agree_on_the_same_paths() {
    let options = Options { compare_refinements: true, refines_small: true, ..without_summaries() };
    let (answer, figures) = decide("refinements", &SMALL.text(), options);
    assert_eq!(answer, Some(true));
    let [paths, different, tracked] =
        ["paths compared", "paths with different answers", "tracked variables"].map(|name| count(&figures, name));
    let [storm, first, second] =
        ["STORM questions", "Algorithm 1 questions", "Algorithm 2 questions"].map(|name| count(&figures, name));
    assert!(paths >= 2, "{paths} paths");
    assert_eq!((different, first), (0, second));
    let n = (SMALL.globals + 2) as u64;
    assert!(second <= 2 * tracked * u64::from(n.ilog2() + 2), "{second} questions for {tracked} variables of {n}");
    assert!(storm > second);
}
