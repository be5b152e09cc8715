//! Figure 1 and Table 1 of the paper.

use super::{parsed, verdict};
use crate::abstraction::{Elements, linear_program};
use crate::adlc::Arithmetic;
use crate::refine::renamed;
use crate::tabulate::{End, Table};
use crate::trace::{Taken, moves, unrolled};
use crate::{Helpers, Options, print};
use engine::{Run, Statistic};
use ir::Program;
use limits::Limits;
use sets::presburger::Presburgers;
use solver::{Profile, Smt, Z3};

/// P of Figure 1. Locations have the numbers of its lines.
const FIGURE_1: &str = "property p unreach-call\nprocedure main() {\nlocal i: int\nlocal a: (Array int int)\n\
    location bad error p\n\
    entry -> Q2: a := (store a 1 1)\nQ2 -> Q3: i := 0\n\
    Q3 -> Q4: assume (and (not (= (select a i) 1)) (< i 3))\nQ4 -> Q5: a := (store a i (* 2 i))\nQ5 -> Q3: i := (+ i 1)\n\
    Q3 -> Q6: assume (not (and (not (= (select a i) 1)) (< i 3)))\n\
    Q6 -> bad: assume (< 1 i)\nQ6 -> exit: assume (not (< 1 i))\n}\n";

/// The trace to the error that the abstract program with these elements has.
fn trace(program: &Program, elements: &Elements) -> Option<Vec<Taken>> {
    let linear = linear_program(program, elements);
    let arithmetic = Arithmetic::new(Presburgers::new(&Limits::default()));
    let mut table = Table::new(program, &linear, arithmetic, Helpers { acceleration: true });
    match table.close(&mut Run::unlimited()).ok()? {
        End::Closed => None,
        End::Reached(node) => {
            let moves = moves(&table, node);
            unrolled(&mut table, &moves, 1000).ok()
        }
    }
}

#[test]
fn figure_1_needs_one_refinement_and_one_element() {
    let program = parsed(FIGURE_1);
    for acceleration in [false, true] {
        let (answer, statistics) = verdict(&program, Options { helpers: Helpers { acceleration } });
        assert_eq!(answer, Some(true));
        assert_eq!(statistics.get("refinements"), Some(&Statistic::Count(1)));
        let tracked = statistics.get("tracked").map(ToString::to_string);
        assert_eq!(tracked.as_deref().map(|text| text.rsplit(' ').next()), Some(Some("1")), "{tracked:?}");
    }
}

#[test]
fn table_1_is_the_trace_of_the_first_abstraction() {
    let program = parsed(FIGURE_1);
    let taken = trace(&program, &Elements::new()).expect("a trace");
    let Ok(steps) = renamed(&program, &taken) else { panic!("the statements have no formulas") };
    let name = |text: String| text.replace("main::", "");
    let formulas: Vec<String> = steps.iter().map(|step| name(step.formula().to_string())).collect();
    // Names are those of Table 1: what step n assigns has the number n.
    let expected = [
        (0, "a@1", "store"),
        (1, "i@2", "0"),
        (2, "a@1", "i@2"),
        (3, "a@4", "a@1"),
        (4, "i@5", "i@2"),
        (5, "a@4", "i@5"),
        (6, "a@7", "a@4"),
        (7, "i@8", "i@5"),
        (8, "a@7", "i@8"),
        (9, "a@10", "a@7"),
        (10, "i@11", "i@8"),
        (11, "a@10", "i@11"),
        (12, "i@11", "1"),
    ];
    assert_eq!(formulas.len(), expected.len(), "{formulas:#?}");
    for (at, first, second) in expected {
        assert!(formulas[at].contains(first) && formulas[at].contains(second), "step {}: {}", at + 1, formulas[at]);
    }
    // The formulas that contradict each other are those of steps 1, 2, 4, 5 and 6.
    let mut smt = Z3::new(Profile::Incremental);
    for at in [0, 1, 3, 4, 5] {
        assert!(!smt.check().is_unsat());
        smt.assert(steps[at].formula());
    }
    assert!(smt.check().is_unsat());
}

#[test]
fn the_abstractions_are_those_of_figure_1() {
    let program = parsed(FIGURE_1);
    let p0 = print(&program, &[]).expect("P0");
    assert!(p0.contains("assume(i < 3 && u != 1);") || p0.contains("assume(u != 1 && i < 3);"), "{p0}");
    let p1 = print(&program, &[("a".to_string(), vec![1])]).expect("P1");
    for line in ["a_1 = 1;", "a_1 = i == 1 ? 2 * i : a_1;", "(i == 1 ? a_1 : u) != 1"] {
        assert!(p1.contains(line), "{line}\n{p1}");
    }
    assert!(print(&program, &[("b".to_string(), vec![1])]).is_err());
}

/// P1 with its first line as the paper prints it: the variable i is read before it is assigned, so anything may be in
/// a_1.
#[test]
fn the_printed_first_line_proves_nothing() {
    let with = |first: &str| {
        parsed(&format!(
            "property p unreach-call\nprocedure main() {{\nlocal i: int\nlocal e: int\nlocal u: int\n\
             location bad error p\nentry -> Q1: havoc i, u\nQ1 -> Q2: e := {first}\nQ2 -> H: i := 0\nH -> Q3: havoc u\n\
             Q3 -> Q4: assume (and (not (= (ite (= i 1) e u) 1)) (< i 3))\nQ4 -> Q5: e := (ite (= i 1) (* 2 i) e)\n\
             Q5 -> H: i := (+ i 1)\nQ3 -> Q6: assume (not (and (not (= (ite (= i 1) e u) 1)) (< i 3)))\n\
             Q6 -> bad: assume (< 1 i)\nQ6 -> exit: assume (not (< 1 i))\n}}\n"
        ))
    };
    assert_eq!(verdict(&with("1"), Options::default()).0, Some(true));
    assert_eq!(verdict(&with("(ite (= i 1) 1 u)"), Options::default()).0, Some(false));
}

/// Elements that are not tracked cost nothing, however many there are.
#[test]
fn the_number_of_nodes_does_not_depend_on_the_size() {
    let nodes = |size: u32| {
        let program = parsed(&format!(
            "property p unreach-call\nprocedure main() {{\nlocal i: int\nlocal a: (Array int int)\nlocation bad error p\n\
             entry -> H: i := 0\nH -> B: assume (< i {size})\nB -> C: a := (store a i 7)\nC -> H: i := (+ i 1)\n\
             H -> E: assume (<= {size} i)\nE -> bad: assume (not (= (select a 5) 7))\nE -> exit: assume (= (select a 5) 7)\n}}\n"
        ));
        let (answer, statistics) = verdict(&program, Options::default());
        assert_eq!(answer, Some(true));
        statistics.get("nodes").cloned()
    };
    assert_eq!(nodes(1_000), nodes(1_000_000));
}
