//! Rounds of loops that are skipped: runs are the same as when they are executed one by one.

use super::{parsed, shown};
use crate::Program;
use crate::interp::{At, Interpreter, Limit, Limits, NoHost, Observer, Outcome, State, Statistics, Zeros};
use term::random::Random;

/// Sees each edge from some on.
struct Awake(u64);

impl Observer for Awake {
    fn edge(&mut self, at: &At, _: &State) {
        assert!(at.step > self.0, "edge {} is told before {}", at.step, self.0);
    }

    fn sleeps_until(&self) -> u64 {
        self.0
    }
}

fn run(program: &Program, observer: Option<&mut dyn Observer>) -> Outcome {
    Interpreter::new(program).run(&mut Zeros, &mut NoHost, &Limits::default(), observer)
}

fn one_by_one(program: &Program) -> Outcome {
    let limits = Limits { one_by_one: true, ..Limits::default() };
    Interpreter::new(program).run(&mut Zeros, &mut NoHost, &limits, None)
}

/// How many edges are skipped; the run must be the same as without that.
fn skipped(program: &Program, what: &str) -> u64 {
    let all = one_by_one(program);
    assert_eq!(all.statistics.skipped, 0, "{what}");
    let from = all.statistics.steps / 3 * 2;
    let mut skipped = 0;
    for observer in [None, Some(&mut Awake(from) as &mut dyn Observer)] {
        let outcome = run(program, observer);
        skipped = skipped.max(outcome.statistics.skipped);
        let same = Outcome { statistics: Statistics { skipped: 0, ..outcome.statistics }, ..outcome };
        assert_eq!(same, all, "{what}");
    }
    skipped
}

/// How many loops are tried.
const SEEDS: u64 = 400;

/// A loop with a body of random assignments and branches.
fn counting(random: &mut Random) -> String {
    let width = [8, 16, 32, 64][random.below(4)];
    let number = |random: &mut Random| {
        let bits = random.below(width + 1) as u32;
        let value = random.bits() & 1u64.checked_shl(bits).map_or(u64::MAX, |power| power - 1);
        format!("#x{value:0digits$x}", digits = width / 4)
    };
    let small = |random: &mut Random| format!("#x{:0digits$x}", 1 + random.below(9), digits = width / 4);
    let variable = |random: &mut Random| ["a", "b", "c"][random.below(3)].to_string();
    let operand = |random: &mut Random| match random.below(4) {
        0 => number(random),
        1 => variable(random),
        _ => small(random),
    };
    let value = |random: &mut Random| {
        let op = match random.below(4) {
            0 => {
                ["bvmul", "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvand", "bvor", "bvxor", "bvlshr", "bvashr", "bvshl"]
                    [random.below(11)]
            }
            1 => "bvsub",
            _ => "bvadd",
        };
        let (left, right) = (variable(random), operand(random));
        match random.below(12) {
            0 => format!("(bvneg {left})"),
            1 => format!("(bvnot {left})"),
            // The same in more bits, and in fewer.
            2 => {
                let (extend, low) = (*random.pick(&["sign_extend", "zero_extend"]), random.below(8));
                let wide = |term: &str| format!("((_ {extend} 8) {term})");
                format!("((_ extract {} {low}) ({op} {} {}))", low + width - 1, wide(&left), wide(&right))
            }
            3 => {
                let half = |high: usize, term: &str| format!("((_ extract {} {}) {term})", high - 1, high - width / 2);
                format!("(concat {} {})", half(width, &left), half(width / 2, &right))
            }
            4 => format!("(ite (bvult {left} {right}) ({op} {left} {right}) {right})"),
            _ => format!("({op} {left} {right})"),
        }
    };
    let condition = |random: &mut Random| {
        let op = ["bvult", "bvule", "bvslt", "bvsle", "="][random.below(5)];
        let left = if random.below(3) == 0 { value(random) } else { variable(random) };
        format!("({op} {left} {})", operand(random))
    };
    let mut edges = String::new();
    let length = 1 + random.below(3);
    for at in 0..length {
        let next = if at + 1 == length { "last".into() } else { format!("s{}", at + 1) };
        let (target, value) = (variable(random), value(random));
        match random.below(6) {
            0 => edges += &format!("s{at} -> {next}: {target} := call step({target}, {})\n", operand(random)),
            // A loop in the loop, of a few rounds.
            1 => {
                let rounds = 1 + random.below(4);
                edges += &format!(
                    "s{at} -> t{at}: j := #x00\nt{at} -> u{at}: assume (bvult j #x{rounds:02x})\n\
                     u{at} -> t{at}: {target} := {value}, j := (bvadd j #x01)\n\
                     t{at} -> {next}: assume (not (bvult j #x{rounds:02x}))\n"
                );
            }
            2 | 3 => {
                let condition = condition(random);
                edges += &format!("s{at} -> t{at}: assume {condition}\nt{at} -> {next}: {target} := {value}\n");
                edges += &format!("s{at} -> {next}: assume (not {condition})\n");
            }
            _ => edges += &format!("s{at} -> {next}: {target} := {value}\n"),
        }
    }
    let rounds = 10_000 + random.below(60_000);
    let numbers: Vec<String> = (0..3).map(|_| number(random)).collect();
    format!(
        "procedure main() returns (a: bv{width}, b: bv{width}, c: bv{width}) {{
           local i: bv32
           local j: bv8
           entry -> head: i := #x00000000, a := {}, b := {}, c := {}
           head -> s0: assume (bvult i #x{rounds:08x})
           {edges}
           last -> head: i := (bvadd i #x00000001)
           head -> exit: assume (not (bvult i #x{rounds:08x}))
         }}
         procedure step(p: bv{width}, q: bv{width}) returns (r: bv{width}) {{
           local t: bv{width}
           entry -> more: t := (bvadd p q)
           more -> exit: r := (bvsub t {})
         }}",
        numbers[0],
        numbers[1],
        numbers[2],
        small(random),
    )
}

#[test]
fn random_loops_do_the_same() {
    let mut count = 0;
    for seed in 0..SEEDS {
        let text = counting(&mut Random::new(seed));
        count += u32::from(skipped(&parsed(&text), &format!("seed {seed}: {text}")) > 0);
    }
    assert!(count > 100, "rounds are skipped in {count} programs only");
}

/// A program in which something happens in a loop of so many rounds.
fn long(limit: &str, body: &str) -> Program {
    parsed(&format!(
        "procedure main() returns (x: bv32, y: bv32) {{
           entry -> head: x := #x00000000, y := #x00000000
           head -> body: assume (bvult x {limit})
           {body}
           head -> exit: assume (not (bvult x {limit}))
         }}
         procedure inc(p: bv32) returns (r: bv32) {{ entry -> exit: r := (bvadd p #x00000001) }}"
    ))
}

#[test]
fn long_loops_take_no_time() {
    let ends = |body: &str, expected: &str| {
        let program = long("#xfffffff0", body);
        let outcome = run(&program, None);
        assert_eq!(shown(&program, &outcome.end), expected, "{body}");
        outcome.statistics
    };
    let statistics = ends(
        "body -> head: x := (bvadd x #x00000003), y := (bvsub y #x00000001)",
        "finished x = #xfffffff0, y = #xaaaaaab0",
    );
    assert_eq!(statistics.steps, 1 + 2 * 0x5555_5550 + 1);
    assert!(statistics.steps - statistics.skipped < 200_000, "{statistics:?}");
    // Calls, phases, parity.
    let statistics = ends("body -> head: x := call inc(x)", "finished x = #xfffffff0, y = #x00000000");
    assert_eq!(statistics.calls, 0xffff_fff0);
    ends(
        "body -> a: assume (bvult x #x7fffffff)\na -> head: x := (bvadd x #x00000001)\n\
         body -> b: assume (not (bvult x #x7fffffff))\nb -> head: x := (bvadd x #x00000005), y := (bvadd y #x00000001)",
        "finished x = #xfffffff2, y = #x19999997",
    );
    ends(
        "body -> a: x := (bvadd x #x00000002)\n\
         a -> head: assume (= (bvurem x #x00000002) #x00000000)\n\
         a -> b: assume (not (= (bvurem x #x00000002) #x00000000))\nb -> head: y := #x00000001",
        "finished x = #xfffffff0, y = #x00000000",
    );
}

/// What asks for choices, or does not change anything, is not skipped; limits count what is executed.
#[test]
fn other_loops_are_not_skipped() {
    let limits = Limits { steps: 500_000, ..Limits::default() };
    for body in ["body -> a: havoc y\na -> head: x := (bvadd x #x00000001)", "body -> head: y := #x00000001"] {
        let outcome = Interpreter::new(&long("#xfffffff0", body)).run(&mut Zeros, &mut NoHost, &limits, None);
        assert_eq!(outcome.end, super::End::Limit(Limit::Steps), "{body}");
        assert_eq!((outcome.statistics.steps, outcome.statistics.skipped), (500_000, 0), "{body}");
    }
}

/// What alternates does the same every few times, and it does not matter where in the loop the run is looked at.
#[test]
fn rounds_may_go_through_the_loop_several_times() {
    let program = long(
        "#xfffffff0",
        "body -> a: x := (bvadd x #x00000001)\na -> b: y := (bvurem x #x00000003)\n\
         b -> c: assume (= y #x00000001)\nc -> d: y := call inc(y)\nb -> d: assume (not (= y #x00000001))\nd -> head",
    );
    let outcome = run(&program, None);
    assert_eq!(shown(&program, &outcome.end), "finished x = #xfffffff0, y = #x00000000");
    assert!(outcome.statistics.skipped > outcome.statistics.steps - 2_000_000, "{:?}", outcome.statistics);
}
