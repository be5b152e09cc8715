//! The paper's worked examples: Section 5.1 with Figures 2 and 3, Figure 4, and Figure 5 with Table I.

use super::program;
use crate::graph::Shape;
use crate::live::live;
use crate::ltg::Ltg;
use crate::model::Model;
use crate::search::{End, Watch, frontier, lockstep, reach_frontier};
use crate::states::States;
use engine::Run;
use ir::{Cfa, Program, parse};
use limits::Limits;
use term::Term;

fn parsed(text: &str) -> Program {
    parse(text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

fn body(program: &Program) -> &Cfa {
    program.procedure(program.entry).body.as_ref().expect("a body")
}

fn graph(program: &Program) -> Ltg {
    let variables = program.procedure(program.entry).locals.iter().map(|variable| variable.term).collect();
    Ltg::new(body(program), variables).expect("no calls")
}

/// The blocks as lists of assignments, and the edges with their conditions, numbered from 1.
fn shown(ltg: &Ltg) -> (Vec<String>, Vec<String>) {
    let block = |assignments: &[(Term, Term)]| {
        let parts: Vec<String> = assignments.iter().map(|(variable, value)| format!("{variable} := {value}")).collect();
        parts.join(", ")
    };
    let blocks = ltg.blocks.iter().map(|b| block(&b.assignments)).collect();
    let mut edges: Vec<(usize, usize, String)> =
        ltg.edges.iter().map(|e| (e.from + 1, e.to + 1, e.condition.to_string())).collect();
    edges.sort();
    (blocks, edges.into_iter().map(|(from, to, condition)| format!("{from} -> {to}: {condition}")).collect())
}

/// Section 5.1: `x = 3; y = x - 3; x = y + 4` is `y = 3 - 3, x = 3 - 3 + 4`; the first assignment is dead.
#[test]
fn assignments_become_parallel_by_substitution() {
    let text = program("x: int, y: int", "entry -> a: x := 3\na -> b: y := (- x 3)\nb -> exit: x := (+ y 4)");
    let (blocks, edges) = shown(&graph(&parsed(&text)));
    // Terms fold constants: 3 - 3 is 0, and 3 - 3 + 4 is 4.
    assert_eq!(blocks, ["x := 4, y := 0", ""]);
    assert_eq!(edges, ["1 -> 2: true"]);
    let text = text.replace("x := 3", "x := z").replace("local y", "local z: int\nlocal y");
    let (blocks, _) = shown(&graph(&parsed(&text)));
    assert_eq!(blocks[0], "x := (+ 1 z), y := (- z 3)");
}

/// Figures 2 and 3. The procedure `foo` stands once; `rtr` says where it returns to.
#[test]
fn figure_3() {
    let text = program(
        "x: int, y: int, s: int, t: int, rtr: int",
        "entry -> b: x := 3\nb -> h: y := (- x 3)\n\
         h -> c: assume (<= x 4)\nc -> d: y := (+ y 1)\nd -> e: s := x\ne -> foo: rtr := 1\n\
         h -> f: assume (not (<= x 4))\nf -> g: s := y\ng -> foo: rtr := 2\n\
         foo -> i: t := (+ s 2)\ni -> j: assume (< 6 t)\nj -> k: t := (- t 3)\n\
         i -> l: assume (not (< 6 t))\nl -> k: t := (- t 1)\n\
         k -> m: assume (= rtr 1)\nm -> h: x := t\nk -> n: assume (= rtr 2)\nn -> exit: y := t",
    );
    let ltg = graph(&parsed(&text));
    let (blocks, edges) = shown(&ltg);
    // In the order of their locations: the entry; the exit; the loop's head, both calls, foo's blocks, the returns.
    assert_eq!(
        blocks,
        [
            "x := 3, y := 0",
            "",
            "",
            "y := (+ 1 y), s := x, rtr := 1",
            "t := (+ 2 s)",
            "s := y, rtr := 2",
            "t := (- t 3)",
            "",
            "t := (- t 1)",
            "x := t",
            "y := t",
        ]
    );
    assert_eq!(
        edges,
        [
            "1 -> 3: true",
            "3 -> 4: (<= x 4)",
            "3 -> 6: (not (<= x 4))",
            "4 -> 5: true",
            "5 -> 7: (< 4 s)",
            "5 -> 9: (not (< 4 s))",
            "6 -> 5: true",
            "7 -> 8: true",
            "8 -> 10: (= 1 rtr)",
            "8 -> 11: (= 2 rtr)",
            "9 -> 8: true",
            "10 -> 3: true",
            "11 -> 2: true",
        ]
    );
    let shape = Shape::new(&ltg);
    assert_eq!((shape.heads.into_iter().collect::<Vec<_>>(), shape.tails.into_iter().collect()), (vec![2], vec![9]));
}

/// Figure 4, where each line is a block.
#[test]
fn figure_4() {
    let text = program(
        "x: int, y: int, s: int",
        "entry -> L2: x := 0, y := 0\nL2 -> L3: x := 7\nL3 -> L4: s := x\nL4 -> L5: y := 8\nL5 -> L6: s := (+ s y)\n\
         L6 -> L2: assume (not (= s 0))\nL6 -> bad: assume (= s 0)\n\
         L3 -> exit\nL4 -> exit\nL5 -> exit\nL6 -> exit",
    );
    let ltg = graph(&parsed(&text));
    let name = |block: usize| ltg.blocks[block].location.map(|location| location.0);
    let live = live(&ltg);
    let lines: Vec<(Option<u32>, String)> = (0..ltg.blocks.len())
        .map(|block| (name(block), live[block].iter().map(|v| v.to_string()).collect::<Vec<_>>().join(" ")))
        .collect();
    let shown: Vec<String> = lines.iter().map(|(location, live)| format!("{location:?} {{{live}}}")).collect();
    println!("{shown:#?}");
    let at = |assigned: &str| {
        let block = ltg.blocks.iter().position(|b| {
            b.assignments.iter().map(|(v, e)| format!("{v} := {e}")).collect::<Vec<_>>().join(", ") == assigned
        });
        live[block.expect(assigned)].iter().map(|v| v.to_string()).collect::<Vec<_>>()
    };
    let none: [&str; 0] = [];
    assert_eq!(at("x := 0, y := 0"), none);
    assert_eq!(at("x := 7"), none);
    assert_eq!(at("s := x"), ["x"]);
    assert_eq!(at("y := 8"), ["s"]);
    assert_eq!(at("s := (+ s y)"), ["y", "s"]);
    let branch = ltg.edges.iter().find(|edge| edge.condition.to_string() == "(= 0 s)").expect("the branch").from;
    assert_eq!(live[branch].iter().map(|v| v.to_string()).collect::<Vec<_>>(), ["s"]);
    assert!(ltg.errors().iter().all(|error| live[*error].is_empty()));
}

/// Figure 5: block 1 sets x to 0; block 2 is the loop's head; block 3, the tail, sets x to 1; block 4 comes after the loop.
fn figure_5() -> Program {
    parsed(&program(
        "x: int",
        "entry -> h: x := 0\nh -> t: assume (= x 0)\nt -> h: x := 1\nh -> l: assume (not (= x 0))\nl -> bad: assume (= x 7)",
    ))
}

/// A set of states as "P = block, formula" for each block, where blocks are numbered as in the paper.
fn rows(model: &Model, states: &States) -> Vec<String> {
    let number = |block: usize| {
        let branch = model.ltg.edges.iter().find(|edge| edge.condition.to_string() == "(= 0 x)").expect("the branch");
        match block {
            _ if block == model.ltg.entry => 1,
            _ if block == branch.from => 2,
            _ if block == branch.to => 3,
            _ => 4,
        }
    };
    let row = |(block, part)| format!("P = {}, {}", number(block), model.space.to_term(part).expect("no limits"));
    states.parts().map(row).collect()
}

/// Table I: F, S and R in each iteration.
#[test]
fn table_1() {
    let program = figure_5();
    let model = Model::new(graph(&program), false, &Limits::default());
    let mut run = Run::unlimited();
    let mut watch = Watch::new(&mut run);
    let end = reach_frontier::reach_frontier(&model, &mut watch).expect("no limits");
    assert_eq!(end, End::Closed);
    let f: Vec<Vec<String>> = watch.rings.iter().map(|ring| rows(&model, ring)).collect();
    println!("{f:#?}");
    let mut run = Run::unlimited();
    for reach in [frontier::reach, lockstep::reach_lockstep] {
        assert_eq!(reach(&model, &mut Watch::new(&mut run)), Ok(End::Closed));
    }
}
