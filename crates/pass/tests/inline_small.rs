//! Small procedures go to where they are called; larger ones and those that call themselves stay.

use ir::{Op, Program};
use pass::{Passed, inline_small, inlined_edges};

const PROGRAM: &str = "property p unreach-call\nglobal g: bv8\nprocedure main() {\nlocal x: bv8\nlocation bad error p\n\
    entry -> L: x := call next(g)\nL -> M: x := call next(x)\nM -> N: x := call again(x)\nN -> bad: assume (= x g)\n}\n\
    procedure next(a: bv8) returns (r: bv8) {\nentry -> exit: r := (bvadd a #x01)\n}\n\
    procedure again(b: bv8) returns (s: bv8) {\nentry -> L: s := call next(b)\nL -> exit: assume (= s #x00)\n\
    L -> exit: s := call again(s)\n}\n";

fn calls(program: &Program, name: &str) -> Vec<String> {
    let id = program.find_procedure(name).expect("the procedure");
    let edges = program.procedure(id).body.as_ref().expect("a body").edges();
    let callee = |op: &Op| match op {
        Op::Call { procedure, .. } => Some(program.procedure(*procedure).name.to_string()),
        _ => None,
    };
    edges.filter_map(|(_, edge)| callee(&edge.op)).collect()
}

fn inlined(largest: usize) -> Passed {
    let program = ir::parse(PROGRAM).unwrap_or_else(|errors| panic!("{errors:?}"));
    let passed = inline_small(&program, largest);
    ir::validate(&passed.program).unwrap_or_else(|errors| panic!("{errors:?}"));
    passed
}

#[test]
fn small_ones_are_inlined_everywhere() {
    let passed = inlined(1);
    assert_eq!(calls(&passed.program, "main"), ["again"]);
    assert_eq!(calls(&passed.program, "again"), ["again"]);
    // A call and the callee's edges go back to where they were; the returns are made up.
    let main = passed.program.find_procedure("main").expect("main");
    let next = passed.program.find_procedure("next").expect("next");
    let edges = passed.program.procedure(main).body.as_ref().expect("a body").edges();
    let origins: Vec<_> = edges.map(|(edge, _)| passed.lift.edge(main, edge)).collect();
    assert_eq!(origins.iter().flatten().filter(|(procedure, _)| *procedure == next).count(), 2);
    assert_eq!(origins.iter().flatten().filter(|(procedure, _)| *procedure == main).count(), 4);
    assert_eq!(origins.iter().filter(|origin| origin.is_none()).count(), 2);
}

#[test]
fn large_ones_stay() {
    assert_eq!(calls(&inlined(0).program, "main"), ["next", "next", "again"]);
}

#[test]
fn edges_without_calls_are_counted() {
    let program = ir::parse(PROGRAM).unwrap_or_else(|errors| panic!("{errors:?}"));
    // Four of its own, one for each call of `next`, and three and one for that of `again`.
    assert_eq!(inlined_edges(&program), 4 + 1 + 1 + 3 + 1);
}
