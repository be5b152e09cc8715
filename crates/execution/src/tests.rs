//! Violations that executions find, as programs in the textual form.

use crate::{Execution, Shown, first, search};
use engine::Run;
use ir::interp::{End, Interpreter, Limits, NoHost, Recorded};
use ir::{Program, parse};

const HEADER: &str = "property p unreach-call\nprocedure main() {\nlocal i: bv32\nlocal x: bv32\nlocal y: bv32\n\
    local b: bool\nlocation bad error p\n";

fn parsed(edges: &str) -> Program {
    let text = format!("{HEADER}{edges}}}\n");
    parse(&text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

/// The choices lead to the violation, whoever makes them.
fn check_execution(program: &Program, execution: &Execution) {
    let mut choices = Recorded::new(execution.choices.iter().cloned());
    let outcome = Interpreter::new(program).run(&mut choices, &mut NoHost, &Limits::default(), None);
    assert_eq!((outcome.end, outcome.statistics.steps), (End::Violated(execution.property), execution.edges));
    assert_eq!(choices.remaining(), 0);
}

fn violation(shown: Shown) -> Execution {
    let Shown::Violation(execution) = shown else { panic!("{shown:?}") };
    execution
}

/// A violation of so many edges is found by the search, but not by the first executions.
fn check(edges: &str, expected: u64) {
    let program = parsed(edges);
    assert_eq!(first(&program, &mut Run::unlimited()), None, "{edges}");
    let found = search(&program, &mut Run::unlimited(), &mut |_| {});
    let found = violation(found.unwrap_or_else(|why| panic!("{why}: {edges}")));
    assert_eq!(found.edges, expected, "{edges}");
    check_execution(&program, &found);
}

#[test]
fn single_inputs() {
    for (edges, expected) in [
        ("entry -> a: havoc x\na -> bad: assume (= x #x00000000)\na -> exit: assume (not (= x #x00000000))\n", 2),
        ("entry -> a: havoc x\na -> bad: assume (= x #x075bcd15)\na -> exit: assume (not (= x #x075bcd15))\n", 2),
        ("entry -> a: havoc x\na -> bad: assume (bvslt #x075bcd15 x)\na -> exit: assume (bvsle x #x075bcd15)\n", 2),
    ] {
        let program = parsed(edges);
        let later = || search(&program, &mut Run::unlimited(), &mut |_| {}).ok();
        let found = first(&program, &mut Run::unlimited()).or_else(later);
        let found = violation(found.unwrap_or_else(|| panic!("nothing is found: {edges}")));
        assert_eq!(found.edges, expected, "{edges}");
        check_execution(&program, &found);
    }
}

#[test]
fn long_executions() {
    let count = |to: &str| {
        format!(
            "entry -> a: i := #x00000000\na -> b: assume (bvult i {to})\nb -> a: i := (bvadd i #x00000001)\n\
             a -> bad: assume (not (bvult i {to}))\n"
        )
    };
    check(&count("#x00020000"), 2 * 0x20000 + 2);
    check(&count("#x00800000"), 2 * 0x80_0000 + 2);
}

/// Of the inputs 0 to 7, six in a row must be right: the seventh comes too late for chance.
#[test]
fn sequences_of_inputs() {
    let step = |from: &str, to: &str, input: u32| {
        format!(
            "{from} -> {from}_: havoc x\n{from}_ -> {to}: assume (= x #x{input:08x})\n\
             {from}_ -> exit: assume (not (= x #x{input:08x}))\n"
        )
    };
    let inputs = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8];
    let names = ["entry", "a", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "bad"];
    let edges: String = inputs.iter().enumerate().map(|(n, input)| step(names[n], names[n + 1], *input)).collect();
    check(&edges, 24);
}

#[test]
fn where_nothing_is_open_there_is_one_execution() {
    let program =
        parsed("entry -> a: i := #x00000000\na -> bad: assume (= i #x00000001)\na -> exit: assume (= i #x00000000)\n");
    assert_eq!(first(&program, &mut Run::unlimited()), Some(Shown::OnlyExecution(2)));
    assert_eq!(search(&program, &mut Run::unlimited(), &mut |_| {}), Ok(Shown::OnlyExecution(2)));
}

/// What a havoc gives may go unnoticed: then it is as if nothing were open. Where it can be read, it is not.
#[test]
fn what_nobody_reads_is_not_open() {
    let edges = |read: &str| {
        format!(
            "entry -> a: i := #x00000000\na -> c: havoc x\nc -> d: {read}\nd -> bad: assume (= i #x00000001)\n\
             d -> exit: assume (not (= i #x00000001))\n"
        )
    };
    let shown = |read: &str| first(&parsed(&edges(read)), &mut Run::unlimited());
    assert_eq!(shown("x := #x00000002"), Some(Shown::OnlyExecution(4)));
    for read in ["i := x", "assume (bvult x #x00000008)"] {
        assert!(!matches!(shown(read), Some(Shown::OnlyExecution(_))), "{read}");
    }
}
