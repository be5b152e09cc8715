//! The algorithm on small programs: what it answers, and how much it inlines for that.

use engine::{Engine, Reason, Run, Statistic, Verdict};
use std::fmt::Write;
use stratified::{Options, Refinement, Stratified};

/// The verdict on a program in the textual form, and how many bodies were inlined.
fn run(text: &str, options: Options) -> (String, u64) {
    let program = ir::parse(text).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"));
    ir::validate(&program).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"));
    let mut run = Run::unlimited();
    let verdict = match (Stratified { options }).check(&program, &mut run) {
        Verdict::True(_) => "true".to_string(),
        Verdict::False(_) => "false".to_string(),
        Verdict::Unknown(Reason::Internal(what)) => panic!("{what}\n{text}"),
        Verdict::Unknown(why) => why.to_string(),
    };
    match run.statistics.get("procedures inlined") {
        Some(Statistic::Count(inlined)) => (verdict, *inlined),
        other => panic!("{other:?}"),
    }
}

fn check(text: &str, bound: Option<u32>, expected: &str) {
    for static_inlining in [false, true] {
        let options = Options { recursion_bound: bound, static_inlining, ..Options::default() };
        assert_eq!(run(text, options).0, expected, "static inlining {static_inlining}\n{text}");
    }
    for refinement in [None, Some(Refinement::Storm), Some(Refinement::Divide), Some(Refinement::OneFormula)] {
        for houdini in [false, true] {
            let options =
                Options { recursion_bound: bound, refinement, refines_small: true, houdini, ..Options::default() };
            assert_eq!(run(text, options).0, expected, "{refinement:?}, Houdini {houdini}\n{text}");
        }
    }
}

/// Counts down from n by calling itself; the error is reached with what is left.
fn count_down(start: u32, error_at: u32) -> String {
    format!(
        "property p unreach-call\nglobal n: bv8\nprocedure main() {{\nlocation bad error p\n\
         entry -> L: n := #x{start:02x}\nL -> M: call down()\nM -> bad: assume (= n #x{error_at:02x})\n\
         M -> exit: assume (not (= n #x{error_at:02x}))\n}}\nprocedure down() {{\n\
         entry -> exit: assume (= n #x00)\nentry -> L: assume (not (= n #x00))\nL -> M: n := (bvsub n #x01)\n\
         M -> exit: call down()\n}}\n"
    )
}

/// The bound counts how often a procedure is entered again: three times, to count down from three.
#[test]
fn bounds_count_entering_again() {
    check(&count_down(3, 0), Some(2), "no bug within recursion 2");
    check(&count_down(3, 0), Some(3), "false");
    check(&count_down(3, 0), None, "false");
    check(&count_down(0, 0), Some(0), "false");
}

/// Four calls are open around the last one: the first and three again.
#[test]
fn the_stack_has_a_bound_too() {
    let run = |bound| run(&count_down(3, 0), Options { stack_bound: Some(bound), ..Options::default() }).0;
    assert_eq!(run(3), "no bug within recursion 2, stack depth 3");
    assert_eq!(run(4), "false");
}

/// The calls that a bound blocks do not matter if nothing gets there.
#[test]
fn a_proof_needs_no_bound() {
    check(&count_down(3, 1), None, "true");
    check(&count_down(3, 1), Some(3), "true");
    let irrelevant = count_down(3, 1).replace("M -> bad: assume (= n #x01)", "M -> bad: assume false");
    check(&irrelevant, Some(0), "true");
}

/// An error in a callee ends its callers; what follows the call does not happen.
#[test]
fn errors_end_callers() {
    let program = |condition: &str| {
        format!(
            "property p unreach-call\nglobal x: bv8\nglobal y: bv8\nprocedure main() {{\nentry -> L: x := #x05\n\
             L -> M: call middle()\nM -> exit: assume false\n}}\nprocedure middle() {{\n\
             entry -> L: y := x\nL -> exit: call last()\n}}\nprocedure last() {{\nlocation bad error p\n\
             entry -> bad: assume {condition}\nentry -> exit\n}}\n"
        )
    };
    check(&program("(= y #x05)"), None, "false");
    check(&program("(= y #x06)"), None, "true");
}

/// A tree of calls with two calls of the next procedure in each: inlined statically it has 2^20 leaves.
fn tree(depth: u32, error: &str) -> String {
    let mut text = format!(
        "property p unreach-call\nglobal x: bv8\nglobal y: bv8\nprocedure main() {{\nlocation bad error p\n\
         entry -> L: x := #x01\nL -> M: call f{depth}()\nM -> bad: assume {error}\nM -> exit\n}}\n\
         procedure f0() {{\nentry -> exit: y := (bvadd y #x01)\n}}\n"
    );
    for n in 1..=depth {
        let callee = n - 1;
        let _ = writeln!(text, "procedure f{n}() {{\nentry -> L: call f{callee}()\nL -> exit: call f{callee}()\n}}");
    }
    text
}

#[test]
fn a_tree_of_a_million_calls_is_decided_without_inlining_it() {
    let (verdict, inlined) = run(&tree(20, "(not (= x #x01))"), Options::default());
    assert_eq!(verdict, "true");
    assert!(inlined <= 30, "{inlined} bodies");
    let small = tree(4, "(not (= x #x01))");
    let (verdict, all) = run(&small, Options { static_inlining: true, ..Options::default() });
    assert_eq!((verdict.as_str(), all), ("true", 32));
    // What the leaves do counts if the error depends on it.
    assert_eq!(run(&tree(4, "(= y #x10)"), Options::default()).0, "false");
}

/// Algorithm 2 asks O(k log n) questions where one of n globals matters, once the path is known to be refutable.
#[test]
fn refinement_of_one_variable_takes_few_questions() {
    let n = 64;
    let mut text = String::from("property p unreach-call\n");
    (0..n).for_each(|i| text.push_str(&format!("global g{i}: bv8\n")));
    text.push_str("procedure main() {\nlocation bad error p\nentry -> N0\n");
    (0..n).for_each(|i| text.push_str(&format!("N{i} -> N{}: g{i} := #x01\n", i + 1)));
    let _ = writeln!(text, "N{n} -> bad: assume (= g17 #x02)\nN{n} -> exit\n}}");
    let questions = |refinement| {
        let program = ir::parse(&text).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"));
        let mut run = Run::unlimited();
        let options =
            Options { refinement: Some(refinement), refines_small: true, houdini: false, ..Options::default() };
        assert!(matches!((Stratified { options }).check(&program, &mut run), Verdict::True(_)));
        assert_eq!(run.statistics.get("tracked variables"), Some(&Statistic::Count(1)));
        match run.statistics.get("questions of refinements") {
            Some(Statistic::Count(questions)) => *questions,
            other => panic!("{other:?}"),
        }
    };
    assert!(questions(Refinement::OneFormula) <= 2 * (6 + 1) + 1);
    assert!(questions(Refinement::Divide) <= 2 * (6 + 1) + 1);
    assert_eq!(questions(Refinement::Storm), n + 1);
}

/// A lock that is taken and released for ever; `release` fails if it is not held, where `held` tells what that is.
fn for_ever(held: &str) -> String {
    format!(
        "property p unreach-call\nglobal lock: bv8\nprocedure main() {{\nentry -> L: lock := #x00\nL -> exit: call use()\n}}\n\
         procedure use() {{\nentry -> exit\nentry -> L: call take()\nL -> M: call release()\nM -> exit: call use()\n}}\n\
         procedure take() {{\nentry -> L: assume (= lock #x00)\nL -> exit: lock := #x01\n}}\n\
         procedure release() {{\nlocation bad error p\nentry -> bad: assume (not (= lock {held}))\n\
         entry -> L: assume (= lock {held})\nL -> exit: lock := #x00\n}}\n"
    )
}

/// What becomes of the lock's state in each procedure proves what no bound on recursion could.
#[test]
fn summaries_prove_what_goes_on_for_ever() {
    let options = |houdini| Options { recursion_bound: Some(2), houdini, ..Options::default() };
    assert_eq!(run(&for_ever("#x01"), options(false)).0, "no bug within recursion 2");
    let (verdict, inlined) = run(&for_ever("#x01"), options(true));
    assert_eq!(verdict, "true");
    assert!(inlined <= 4, "{inlined} bodies");
    assert_eq!(run(&for_ever("#x02"), options(true)).0, "false");
}

/// A trace tells what constants are that no body on the way looks at, as axioms want them.
#[test]
fn traces_tell_constants_of_other_bodies() {
    let text = "property p unreach-call\nfunction c(): int\naxiom (< 300 (c))\nglobal x: int\nprocedure main() {\n\
        location bad error p\nentry -> L3: havoc x\nL3 -> bad: assume (< x 0)\nL3 -> exit: call other()\n}\n\
        procedure other() {\nlocation bad error p\nentry -> bad: assume (and (= x (c)) (< x 0))\nentry -> exit\n}\n";
    let program = ir::parse(text).unwrap_or_else(|errors| panic!("{errors:?}"));
    let verdict = Stratified::default().check(&program, &mut Run::unlimited());
    let Verdict::False(trace) = verdict else { panic!("{verdict:?}") };
    let told = trace.functions.iter().find(|(function, ..)| function.name.as_str() == "c");
    let is_large = |value: &term::Value| matches!(value, term::Value::Int(n) if *n > 300.into());
    assert!(told.is_some_and(|(_, _, value)| is_large(value)), "{told:?}");
}

/// Each procedure calls the next one on both of its two ways, the last one fails for one value: 2^depth calls.
fn forks(depth: u32, fails_at: u32) -> String {
    let mut text = format!(
        "property p unreach-call\nglobal n: bv8\nprocedure main() {{\nlocation bad error p\n\
         entry -> L: n := #x00\nL -> M: call fork1()\nM -> bad: assume (= n #x{fails_at:02x})\n\
         M -> exit: assume (not (= n #x{fails_at:02x}))\n}}\n"
    );
    for level in 1..=depth {
        let next = if level == depth { "n := (bvadd n #x01)".to_string() } else { format!("call fork{}()", level + 1) };
        let _ = write!(
            text,
            "procedure fork{level}() {{\nlocal b{level}: bool\nentry -> A: havoc b{level}\nA -> B: assume b{level}\nB -> C: n := (bvadd n #x01)\n\
             C -> exit: {next}\nA -> D: assume (not b{level})\nD -> E: n := (bvadd n #x02)\nE -> exit: {next}\n}}\n"
        );
    }
    text
}

/// No execution takes both ways, so both calls have the same body.
#[test]
fn calls_on_different_ways_share_a_body() {
    let options = |sharing| Options { sharing, houdini: false, refinement: None, ..Options::default() };
    // Each level adds 1 or 2, and the last one 1 more.
    for (fails_at, expected) in [(23, "false"), (12, "true")] {
        let (verdict, inlined) = run(&forks(12, fails_at), options(true));
        assert_eq!(verdict, expected);
        assert!(inlined <= 14, "{inlined} bodies");
    }
    let (verdict, inlined) = run(&forks(5, 5), options(false));
    assert_eq!(verdict, "true");
    assert!(inlined > 16, "{inlined} bodies");
}

/// Two calls one after the other add up: they must have a body each.
#[test]
fn calls_one_after_the_other_do_not_share_a_body() {
    for (fails_at, expected) in [(2, "false"), (1, "true")] {
        let text = format!(
            "property p unreach-call\nglobal n: bv8\nprocedure main() {{\nlocation bad error p\n\
             entry -> L: n := #x00\nL -> M: call one()\nM -> N: call one()\nN -> bad: assume (= n #x{fails_at:02x})\n\
             N -> exit: assume (not (= n #x{fails_at:02x}))\n}}\nprocedure one() {{\nentry -> exit: call next()\n}}\n\
             procedure next() {{\nentry -> exit: n := (bvadd n #x01)\n}}\n"
        );
        let options = Options { houdini: false, refinement: None, ..Options::default() };
        assert_eq!(run(&text, options).0, expected, "{text}");
    }
}
