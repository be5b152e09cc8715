//! Calls as branches on return points: against all executions of small programs with calls.

mod support;

use ir::{Cfa, Op, ProcId, Program};
use pass::{Bound, Passed, inline, return_points};
use support::{enumerate, replays};
use term::random::Random;

fn parse(text: &str) -> Program {
    ir::parse(text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

fn passed(program: &Program, recursion: u32) -> Passed {
    let passed = return_points(program, recursion);
    ir::validate(&passed.program).unwrap_or_else(|errors| panic!("{errors:?}\n{}", ir::print(&passed.program)));
    assert!(!passed.program.edges().any(|edge| matches!(edge.op, Op::Call { .. })));
    passed
}

fn body(program: &Program) -> &Cfa {
    program.procedure(program.entry).body.as_ref().expect("a body")
}

/// Figure 2.
const FIGURE_2: &str = "procedure foo(foo::s: bv8) returns (foo::r: bv8) {\nlocal foo::t: bv8\n\
    entry -> B: foo::t := (bvadd foo::s #x02)\nB -> C: assume (bvslt #x06 foo::t)\n\
    B -> D: assume (not (bvslt #x06 foo::t))\nC -> E: foo::t := (bvsub foo::t #x03)\n\
    D -> E: foo::t := (bvsub foo::t #x01)\nE -> exit: foo::r := foo::t\n}\n\
    procedure bar() {\nlocal bar::x: bv8\nlocal bar::y: bv8\nentry -> A: bar::x := #x03\n\
    A -> H: bar::y := (bvsub bar::x #x03)\nH -> I: assume (bvsle bar::x #x04)\n\
    H -> K: assume (not (bvsle bar::x #x04))\nI -> J: bar::y := (bvadd bar::y #x01)\n\
    J -> H: bar::x := call foo(bar::x)\nK -> exit: bar::y := call foo(bar::y)\n}\n";

/// Figure 3: the body of `foo` stands there once, with a parameter `rtr` on which its end branches.
#[test]
fn figure_3() {
    let program = parse(&format!("program \"figure2.c\" lp64 entry bar\n{FIGURE_2}"));
    let passed = passed(&program, 0);
    let shown = |op: &Op| match op {
        Op::Assign(pairs) => pairs.iter().map(|(x, e)| format!("{x} := {e}")).collect::<Vec<_>>().join(", "),
        Op::Assume(condition) => format!("assume {condition}"),
        other => panic!("{other:?}"),
    };
    let edges: Vec<String> = body(&passed.program).edges().map(|(_, edge)| shown(&edge.op)).collect();
    let count = |what: &str| edges.iter().filter(|edge| edge.as_str() == what).count();
    // Both calls lead to the one body, and each return point back to its own block.
    assert_eq!(count("foo::s := bar::x, foo::%rtr := #b01"), 1, "{edges:#?}");
    assert_eq!(count("foo::s := bar::y, foo::%rtr := #b10"), 1, "{edges:#?}");
    assert_eq!(count("foo::t := (bvadd foo::s #x02)"), 1, "{edges:#?}");
    assert_eq!(count("assume (= foo::%rtr #b01)"), 1, "{edges:#?}");
    assert_eq!(count("assume (= foo::%rtr #b10)"), 1, "{edges:#?}");
    assert_eq!(count("bar::x := foo::r"), 1, "{edges:#?}");
    assert_eq!(count("bar::y := foo::r"), 1, "{edges:#?}");
    // Two calls, each with a branch and a return, in the place of two.
    assert_eq!(edges.len(), program.edges().count() + 4, "{edges:#?}");
    assert_eq!(Bound::all(&passed.program), []);
}

/// A trace comes back with its calls.
#[test]
fn traces_have_their_calls() {
    let text = FIGURE_2.replace(
        "K -> exit: bar::y := call foo(bar::y)",
        "K -> M: bar::y := call foo(bar::y)\nlocation bad error p\nM -> bad",
    );
    let program = parse(&format!("program \"figure2.c\" lp64 entry bar\nproperty p unreach-call\n{text}"));
    let trace = enumerate(&passed(&program, 0).program, 0).error.expect("an error");
    let lifted = passed(&program, 0).lift.trace(trace);
    assert!(replays(&program, &lifted), "{lifted:?}");
    let (foo, bar) = (ProcId(0), ProcId(1));
    let procedures: Vec<ProcId> = lifted.steps.iter().map(|step| step.procedure).collect();
    // x is 3, 4 and 5, so foo is called twice in the loop and once behind it.
    let round = [bar, bar, bar, foo, foo, foo, foo];
    let all = [vec![bar; 2], round.repeat(2), vec![bar, bar], vec![foo; 4], vec![bar]].concat();
    assert_eq!(procedures, all);
}

/// The sum of the numbers below one.
const SUM: &str = "property p unreach-call\nprocedure main() {\nlocal main::x: bv3\nlocation bad error p\n\
    entry -> L: main::x := call sum(N)\nL -> bad: assume (= main::x TOTAL)\nL -> exit: assume (not (= main::x TOTAL))\n}\n\
    procedure sum(sum::n: bv3) returns (sum::r: bv3) {\nlocal sum::s: bv3\n\
    entry -> Z: assume (= sum::n #b000)\nentry -> M: assume (not (= sum::n #b000))\nZ -> exit: sum::r := #b000\n\
    M -> K: sum::s := call sum((bvsub sum::n #b001))\nK -> exit: sum::r := (bvadd sum::s sum::n)\n}\n";

/// Within the bound a recursive procedure gives what it gives; beyond it, that is said.
#[test]
fn recursion_within_the_bound_and_beyond() {
    for (recursion, is_beyond) in [(4, false), (3, false), (2, true), (0, true)] {
        let program = parse(&SUM.replace('N', "#b011").replace("TOTAL", "#b110"));
        let passed = passed(&program, recursion);
        assert_eq!(Bound::all(&passed.program), [Bound { name: "recursion", number: recursion.into() }]);
        let found = enumerate(&passed.program, 0);
        assert_eq!(found.is_beyond, is_beyond, "{recursion}");
        match found.error {
            Some(trace) => {
                assert!(!is_beyond);
                let lifted = passed.lift.trace(trace);
                assert!(replays(&program, &lifted));
                let depth = lifted.steps.iter().filter(|step| step.procedure == ProcId(1)).count();
                // Three activations of three steps each, and one of two.
                assert_eq!(depth, 3 * 3 + 2);
            }
            None => assert!(is_beyond, "{recursion}"),
        }
    }
    let wrong = parse(&SUM.replace('N', "#b011").replace("TOTAL", "#b101"));
    assert!(enumerate(&passed(&wrong, 4).program, 0).error.is_none());
}

/// Programs of three procedures over two bits each, which call each other and themselves.
fn program(random: &mut Random) -> Program {
    let mut text = String::from("property bad unreach-call\nglobal g: bv1\n");
    for (number, name) in ["main", "f", "h"].into_iter().enumerate() {
        let variable = |random: &mut Random| match random.below(3) {
            0 => "g".to_string(),
            1 => format!("{name}::a"),
            _ => format!("{name}::b"),
        };
        let value = |random: &mut Random| match random.below(4) {
            0 => format!("#b{}", random.below(2)),
            1 => format!("(bvnot {})", variable(random)),
            2 => format!("(bvxor {} {})", variable(random), variable(random)),
            _ => variable(random),
        };
        text += &match number {
            0 => format!("procedure main() {{\nlocal {name}::a: bv1\nlocal {name}::b: bv1\n"),
            _ => format!("procedure {name}({name}::a: bv1) returns ({name}::b: bv1) {{\n"),
        };
        text += "location wrong error bad\n";
        for from in 0..5 {
            let place = |number: usize| if number == 0 { "entry".to_string() } else { format!("l{number}") };
            let to = |random: &mut Random| match random.below(9) {
                0 if number == 0 || random.once_in(2) => "wrong".to_string(),
                0..3 => "exit".to_string(),
                _ => place((from + 1 + random.below(2)).min(4)),
            };
            let condition = format!("(= {} {})", variable(random), value(random));
            let (one, other) = (to(random), to(random));
            let from = place(from);
            text += &match random.below(7) {
                0 => format!("{from} -> {one}: {} := {}\n", variable(random), value(random)),
                1 => format!("{from} -> {one}: havoc {}\n", variable(random)),
                2 | 3 => format!("{from} -> {one}: assume {condition}\n{from} -> {other}: assume (not {condition})\n"),
                _ => {
                    let callee = ["f", "h", "f", "h", "main"][random.below(5)];
                    let call = if callee == "main" {
                        "call main()".to_string()
                    } else {
                        format!("{} := call {callee}({})", variable(random), value(random))
                    };
                    format!("{from} -> {one}: {call}\n{from} -> {other}: assume {condition}\n")
                }
            };
        }
        text += "}\n";
    }
    parse(&text)
}

/// Errors are reached as before, and so is the bound.
#[test]
fn random_programs_reach_the_same_errors() {
    let [mut reached, mut beyond, mut safe] = [0; 3];
    for seed in 0..100 {
        let program = program(&mut Random::new(seed));
        let recursion = seed % 2;
        let passed = passed(&program, recursion as u32);
        let (expected, found) = (enumerate(&program, recursion as usize), enumerate(&passed.program, 0));
        if !(expected.is_complete && found.is_complete) {
            continue;
        }
        let context = || format!("seed {seed}\n{}\n{}", ir::print(&program), ir::print(&passed.program));
        assert_eq!(found.error.is_some(), expected.error.is_some(), "{}", context());
        assert_eq!(found.is_beyond, expected.is_beyond, "{}", context());
        beyond += u32::from(found.is_beyond);
        safe += u32::from(found.error.is_none());
        if let Some(trace) = found.error {
            reached += 1;
            let lifted = passed.lift.trace(trace);
            assert!(replays(&program, &lifted), "{lifted:?}\n{}", context());
        }
    }
    assert!(reached > 10 && safe > 10 && beyond > 10, "{reached} {safe} {beyond}");
}

/// The program grows with its calls, not with their paths.
#[test]
fn bodies_stand_once() {
    let mut text = String::from("procedure main() {\nentry -> L: call p0()\nL -> exit: call p0()\n}\n");
    for number in 0..30 {
        let callee = number + 1;
        text += &format!("procedure p{number}() {{\nentry -> L: call p{callee}()\nL -> exit: call p{callee}()\n}}\n");
    }
    let program = parse(&(text + "procedure p30() {\nentry -> exit\n}\n"));
    assert!(inline(&program, pass::Recursion::Merged, 100_000).is_err());
    assert_eq!(passed(&program, 0).program.edges().count(), 31 * 2 * 3 + 1);
}
