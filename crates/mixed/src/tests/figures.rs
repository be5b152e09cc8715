//! The paper's worked examples: Section 5.1 with Figures 2 and 3, Figure 4, and Figure 5 with Table I.

use super::program;
use crate::graph::Shape;
use crate::live::live;
use crate::ltg::{Block, Edge, Ltg};
use crate::model::Model;
use crate::search::{End, Halt, Watch, frontier, lockstep, plain, reach_frontier};
use crate::states::States;
use engine::Run;
use ir::{Cfa, LocId, LocationKind, Program, PropertyId, parse};
use limits::Limits;
use term::build::{add, eq, int, lt, not, truth};
use term::{Sort, Term};

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
    assert_eq!(blocks, ["x := 4, y := 0"]);
    assert!(edges.is_empty());
    let text = text.replace("x := 3", "x := z").replace("local y", "local z: int\nlocal y");
    let (blocks, _) = shown(&graph(&parsed(&text)));
    assert_eq!(blocks, ["x := (+ z 1), y := (+ z -3)"]);
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
    // The entry; the loop's head; the first call; foo's beginning; the second call; foo's branches and end; the returns.
    assert_eq!(
        blocks,
        [
            "x := 3, y := 0",
            "",
            "y := (+ y 1), s := x, rtr := 1",
            "t := (+ s 2)",
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
            "1 -> 2: true",
            "2 -> 3: (<= x 4)",
            "2 -> 5: (not (<= x 4))",
            "3 -> 4: true",
            "4 -> 6: (< 4 s)",
            "4 -> 8: (not (< 4 s))",
            "5 -> 4: true",
            "6 -> 7: true",
            "7 -> 9: (= rtr 1)",
            "7 -> 10: (= rtr 2)",
            "8 -> 7: true",
            "9 -> 2: true",
        ]
    );
    let shape = Shape::new(&ltg);
    assert_eq!((shape.heads.into_iter().collect::<Vec<_>>(), shape.tails.into_iter().collect()), (vec![1], vec![8]));
}

fn variable(name: &str) -> Term {
    Term::var(name, Sort::int())
}

/// A graph over integers: the assignments of each block, and edges with conditions, by numbers from 1.
fn drawn(variables: &[Term], blocks: Vec<Vec<(Term, Term)>>, edges: &[(usize, usize, Term)]) -> Ltg {
    let block = |(number, assignments)| Block {
        location: Some(LocId(number)),
        assignments,
        inputs: Vec::new(),
        steps: Vec::new(),
        kind: LocationKind::Plain,
    };
    let edge = |(from, to, condition): &(usize, usize, Term)| Edge {
        from: from - 1,
        to: to - 1,
        condition: *condition,
        step: None,
    };
    Ltg {
        blocks: (0..).zip(blocks).map(block).collect(),
        edges: edges.iter().map(edge).collect(),
        entry: 0,
        variables: variables.to_vec(),
    }
}

/// Figure 4, where each line is a block.
#[test]
fn figure_4() {
    let [x, y, s] = ["x", "y", "s"].map(variable);
    let is_zero = eq(s, int(0));
    let ltg = drawn(
        &[x, y, s],
        vec![
            vec![(x, int(0)), (y, int(0))],
            vec![(x, int(7))],
            vec![(s, x)],
            vec![(y, int(8))],
            vec![(s, add(s, y))],
            Vec::new(),
            Vec::new(),
        ],
        &[
            (1, 2, truth()),
            (2, 3, truth()),
            (3, 4, truth()),
            (4, 5, truth()),
            (5, 6, truth()),
            (6, 2, not(is_zero)),
            (6, 7, is_zero),
        ],
    );
    let expected: [&[Term]; 7] = [&[], &[], &[x], &[s], &[y, s], &[s], &[]];
    assert_eq!(live(&ltg), expected.map(<[Term]>::to_vec));
}

/// A variable that is read before it was defined keeps its first value: Definition 6.1 as printed would let the second
/// read differ.
#[test]
fn first_values_are_definitions() {
    let x = variable("x");
    let positive = lt(int(0), x);
    let edges = [(1, 2, positive), (2, 3, not(positive))];
    let ltg = drawn(&[x], vec![Vec::new(), Vec::new(), Vec::new()], &edges);
    assert_eq!(live(&ltg), [vec![x], vec![x], Vec::new()]);
    let model = Model::new(ltg, true, &Limits::default());
    let mut run = Run::unlimited();
    let mut watch = Watch::new(&mut run);
    assert_eq!(lockstep::reach_lockstep(&model, &mut watch), Ok(End::Closed));
    assert!(watch.rings.iter().all(|ring| ring.at(2).is_none()));
}

/// A set of states as "P = block, formula" for each block, where blocks are numbered from 1.
fn rows(model: &Model, states: &States) -> Vec<String> {
    let row = |(block, part)| format!("P = {}, {}", block + 1, model.space.to_term(part).expect("no limits"));
    states.parts().map(row).collect()
}

/// Figure 5 and Table I: F, S and R in each iteration. The initial states are those of block 1, with any x; the table
/// has x = 0 there already.
#[test]
fn table_1() {
    let x = variable("x");
    let is_zero = eq(x, int(0));
    let blocks = vec![vec![(x, int(0))], vec![(x, int(1))], Vec::new(), Vec::new()];
    let edges = [(1, 2, truth()), (2, 3, is_zero), (3, 2, truth()), (2, 4, not(is_zero))];
    let model = Model::new(drawn(&[x], blocks, &edges), false, &Limits::default());
    assert_eq!(model.tails().iter().collect::<Vec<_>>(), [&2]);
    let mut run = Run::unlimited();
    let mut watch = Watch::new(&mut run);
    assert_eq!(reach_frontier::reach_frontier(&model, &mut watch), Ok(End::Closed));
    let f: Vec<Vec<String>> = watch.rings.iter().map(|ring| rows(&model, ring)).collect();
    let expected = [["P = 1, true"], ["P = 2, (= x 0)"], ["P = 3, (= x 1)"], ["P = 2, (= x 1)"], ["P = 4, (= x 1)"]];
    assert_eq!(f, expected);
    let (mut s, mut r) = (States::default(), States::default());
    for (number, ring) in watch.rings.iter().enumerate() {
        s = s.or(&ring.within(model.tails())).expect("no limits");
        r = r.or(ring).expect("no limits");
        let tail = if number < 2 { Vec::new() } else { vec!["P = 3, (= x 1)"] };
        assert_eq!(rows(&model, &s), tail);
    }
    let reached = rows(&model, &r);
    assert_eq!(reached.len(), 4);
    assert_eq!([&reached[0], &reached[2], &reached[3]], ["P = 1, true", "P = 3, (= x 1)", "P = 4, (= x 1)"]);
    for reach in [plain::reach as Reach, frontier::reach, lockstep::reach_lockstep] {
        let mut watch = Watch::new(&mut run);
        assert_eq!(reach(&model, &mut watch), Ok(End::Closed));
        let mut all = States::default();
        for ring in &watch.rings {
            all = all.or(ring).expect("no limits");
        }
        assert!(all.entails(&r).expect("no limits") && r.entails(&all).expect("no limits"));
    }
}

/// The printed Algorithm 2 misses states where an edge leads back to a block from which one leads back: here all
/// searches but that one come to the error, which is the last block.
fn algorithm_2_misses(ltg: impl Fn() -> Ltg) {
    let reaches: [Reach; 5] = [
        plain::reach,
        frontier::reach,
        reach_frontier::reach_frontier,
        lockstep::reach_lockstep,
        lockstep::printed_lockstep,
    ];
    let ends = reaches.map(|reach| {
        let mut ltg = ltg();
        let last = ltg.blocks.last_mut().expect("there are blocks");
        last.kind = LocationKind::Error(PropertyId(0));
        let model = Model::new(ltg, true, &Limits::default());
        let mut run = Run::unlimited();
        reach(&model, &mut Watch::new(&mut run)).expect("no limits")
    });
    assert_eq!(ends, [End::Reached, End::Reached, End::Reached, End::Reached, End::Closed]);
}

#[test]
fn the_printed_algorithm_2_leaves_a_loop_of_one_block_too_early() {
    let x = variable("x");
    let blocks = || vec![vec![(x, int(0))], vec![(x, add(x, int(1)))], Vec::new()];
    algorithm_2_misses(|| drawn(&[x], blocks(), &[(1, 2, truth()), (2, 2, lt(x, int(5))), (2, 3, eq(x, int(3)))]));
}

/// Block 3 is the head of the inner loop (3, 4), and the outer loop's back edge leaves from it.
#[test]
fn the_printed_algorithm_2_leaves_an_inner_loop_too_early() {
    let x = variable("x");
    let blocks = || vec![vec![(x, int(0))], Vec::new(), Vec::new(), vec![(x, add(x, int(1)))], Vec::new()];
    let is_odd = eq(term::build::int_mod(x, int(2)), int(1));
    let edges = [
        (1, 2, truth()),
        (2, 3, not(is_odd)),
        (2, 5, is_odd),
        (3, 4, lt(x, int(3))),
        (4, 3, truth()),
        (3, 2, eq(x, int(3))),
    ];
    algorithm_2_misses(|| drawn(&[x], blocks(), &edges));
}

type Reach = fn(&Model, &mut Watch) -> Result<End, Halt>;
