//! The engine `interleaving` on random threaded Boolean programs, against an enumeration of explicit states.
//!
//! `FATHOM_RANDOM_THREADS=20000 cargo test --release -p driver --test boolean_threads` tries more of them.

use driver::replay::replays;
use engine::{Cancel, Engine, Reason, Run, Verdict};
use interleaving::explicit::{Enumerated, enumerate};
use interleaving::{Fixpoint, Interleaving, Options, Order, Reduction};
use ir::Program;
use solver::{Profile, Z3};
use source::SourceMap;
use std::fmt::Write;
use std::time::Duration;
use term::random::Random;

/// Programs with more explicit states than this are left out.
const MOST: usize = 10_000;

/// Writes a program: globals, one to three kinds of threads, a function that they call, and a start of two to four threads.
struct Writer {
    random: Random,
    text: String,
    globals: usize,
    labels: usize,
}

impl Writer {
    fn program(seed: u64) -> String {
        let mut writer = Writer { random: Random::new(seed), text: String::new(), globals: 0, labels: 0 };
        writer.write();
        writer.text
    }

    fn write(&mut self) {
        self.globals = 2 + self.random.below(3);
        for number in 0..self.globals {
            let value = ["T", "F", "F", "*"][self.random.below(4)];
            let _ = writeln!(self.text, "decl g{number} := {value};");
        }
        if self.random.once_in(6) {
            self.text.push_str("thread_local decl own := F;\n");
            self.globals += 1;
            self.text = self.text.replace("own", &format!("g{}", self.globals - 1));
        }
        let kinds = 1 + self.random.below(3);
        for kind in 0..kinds {
            let _ = writeln!(self.text, "void t{kind}(p) begin\n  decl l;");
            let count = 1 + self.random.below(4);
            self.statements(&["l", "p"], count, 0);
            self.text.push_str("end\n");
        }
        self.text.push_str("bool f(a) begin\n");
        self.statements(&["a"], 1, 1);
        let result = self.expression(&["a"], 1);
        let _ = writeln!(self.text, "  return {result};\nend\nvoid main() begin");
        let threads = 1 + self.random.below(3);
        for thread in 0..threads {
            if self.random.once_in(3) {
                self.statements(&[], 1, 1);
            }
            let (kind, argument) = (self.random.below(kinds), self.expression(&[], 1));
            let how = if self.random.once_in(2) { "start_thread".to_string() } else { format!("ASYNC_{thread}:") };
            let _ = writeln!(self.text, "  {how} t{kind}({argument});");
        }
        let count = self.random.below(3);
        self.statements(&[], count, 0);
        self.text.push_str("end\n");
    }

    fn variable(&mut self, own: &[&str]) -> String {
        let number = self.random.below(self.globals + own.len());
        own.get(number).map_or_else(|| format!("g{}", number - own.len()), |own| own.to_string())
    }

    fn expression(&mut self, own: &[&str], depth: u32) -> String {
        if depth == 0 || self.random.once_in(3) {
            return match self.random.below(12) {
                0 => "*".to_string(),
                1 => "T".to_string(),
                2 => "F".to_string(),
                _ => self.variable(own),
            };
        }
        let mut part = || self.expression(own, depth - 1);
        let (a, b) = (part(), part());
        match self.random.below(7) {
            0 => format!("({a} & {b})"),
            1 => format!("({a} | {b})"),
            2 => format!("({a} = {b})"),
            3 => format!("({a} ^ {b})"),
            4 => format!("schoose[{a}, {b}]"),
            _ => format!("!{a}"),
        }
    }

    fn statements(&mut self, own: &[&str], count: usize, depth: u32) {
        for _ in 0..count {
            self.statement(own, depth);
        }
    }

    fn statement(&mut self, own: &[&str], depth: u32) {
        let target = self.variable(own);
        let value = self.expression(own, 2);
        let line = match self.random.below(if depth == 0 { 18 } else { 11 }) {
            0..=4 => format!("{target} := {value};"),
            5 => format!("{target} := *;"),
            6 => format!("assume({value});"),
            7 => "skip;".to_string(),
            8 | 9 if depth == 0 => format!("assert({value});"),
            8 => format!("abortif {value};"),
            9 | 10 => {
                let other = self.variable(own);
                let next = self.expression(own, 1);
                match other == target {
                    true => format!("{target} := * constrain '{target} | {next};"),
                    false => format!("{target}, {other} := *, {value} constrain '{target} = {next} | {other}';"),
                }
            }
            11 | 12 => format!("assert({value});"),
            13 => format!("{target} := f({value});"),
            14 => return self.within(own, &format!("if {value} then"), "fi"),
            15 => return self.within(own, &format!("while {value} do"), "od"),
            16 => return self.within(own, "atomic_begin;", "atomic_end;"),
            _ => {
                self.labels += 1;
                let label = self.labels;
                let _ = writeln!(self.text, "  L{label}:");
                self.statements(own, 1, depth + 1);
                format!("goto L{label}, M{label}; M{label}: skip;")
            }
        };
        let _ = writeln!(self.text, "  {line}");
    }

    fn within(&mut self, own: &[&str], begin: &str, end: &str) {
        let _ = writeln!(self.text, "  {begin}");
        let count = 1 + self.random.below(2);
        self.statements(own, count, 1);
        let _ = writeln!(self.text, "  {end}");
    }
}

/// A program, as it was written and without calls; `None` if it has too many states.
fn program(number: u64) -> Option<(String, Program, pass::Passed, Enumerated)> {
    let text = Writer::program(number);
    let mut map = SourceMap::new();
    let loaded = frontend_bp::load_text("random.bp", &text, &frontend_bp::Options::default(), &mut map);
    let program = loaded.unwrap_or_else(|errors| panic!("program {number}: {errors:?}\n{text}"));
    ir::validate(&program).unwrap_or_else(|errors| panic!("program {number}: {errors:?}\n{text}"));
    let passed = driver::pipeline::Form::Boolean
        .make(&program, 1, driver::pipeline::Executions::All)
        .unwrap_or_else(|why| panic!("{why}"));
    match enumerate(&passed.program, MOST, &|_| true, &mut Run::unlimited()) {
        Ok(enumerated) => Some((text, program, passed, enumerated)),
        Err(Reason::BoundReached(_)) => None,
        Err(why) => panic!("program {number}: {why}\n{text}"),
    }
}

/// What a program is tried with: all interleavings, and two reductions, with the other options in turns.
fn options(number: u64) -> [Options; 3] {
    let turn = |period: u64, n: usize| (number / period) as usize % n;
    let order = [Order::DepthFirst, Order::BreadthFirst][turn(1, 2)];
    let other = [Order::BreadthFirst, Order::DepthFirst][turn(1, 2)];
    let fixpoint = [Fixpoint::Expansion, Fixpoint::Bdd][turn(2, 2)];
    let filters = turn(4, 2) == 0;
    let unions = turn(16, 4) != 0;
    [
        Options { order, reduction: Reduction::None, fixpoint, unions, filters },
        Options { order, reduction: Reduction::Decisions, fixpoint: Fixpoint::Expansion, unions, filters },
        Options {
            order: other,
            reduction: [Reduction::Decisions, Reduction::Constraints][turn(8, 2)],
            fixpoint,
            unions,
            filters: !filters,
        },
    ]
}

fn number_of_programs() -> u64 {
    std::env::var("FATHOM_RANDOM_THREADS").ok().and_then(|text| text.parse().ok()).unwrap_or(150)
}

#[test]
fn the_engine_agrees_with_enumeration() {
    let (mut violated, mut safe, mut large, mut late) = (0u64, 0u64, 0u64, 0u64);
    let all = number_of_programs();
    for number in 0..all {
        let Some((text, program, passed, expected)) = program(number) else {
            large += 1;
            continue;
        };
        for options in options(number) {
            let context = || format!("program {number} with {options:?}\n{text}");
            let mut run = Run::new(Some(Duration::from_secs(15)), None, Cancel::new());
            match (Interleaving { options }).check(&passed.program, &mut run) {
                Verdict::True(proof) => {
                    assert!(!expected.is_violated, "a violation is missed by {}", context());
                    let solver = || Box::new(Z3::new(Profile::Incremental)) as Box<dyn solver::Smt>;
                    let checked = certify::check_proof(&passed.program, &proof, &solver);
                    assert_eq!(checked, Ok(()), "{}", context());
                }
                Verdict::False(trace) => {
                    assert!(expected.is_violated, "a violation that is none, by {}", context());
                    assert_eq!(replays(&program, &passed.lift.trace(trace)), Ok(()), "{}", context());
                }
                Verdict::Unknown(Reason::Timeout) => late += 1,
                Verdict::Unknown(why) => panic!("{why}: {}", context()),
            }
        }
        *(if expected.is_violated { &mut violated } else { &mut safe }) += 1;
    }
    println!("{violated} violated, {safe} safe, {large} too large, {late} too late");
    assert!(
        violated * 5 >= all && safe * 5 >= all && large * 3 <= all && late * 50 <= all,
        "{violated}, {safe}, {large}: the test says little"
    );
}

/// The independence test as it is printed misses violations, and this test sees it.
#[test]
fn the_printed_independence_is_found_out() {
    let missed = |number: &u64| {
        let Some((_, _, passed, expected)) = program(*number) else { return false };
        let options = Options { reduction: Reduction::Printed, ..Options::default() };
        let verdict = Interleaving { options }.check(&passed.program, &mut Run::unlimited());
        expected.is_violated && matches!(verdict, Verdict::True(_))
    };
    assert!((0..number_of_programs()).any(|number| missed(&number)), "no program shows it");
}

/// A proof with a step left out, or with a set of threads that may not move alone, is not accepted.
#[test]
fn broken_proofs_are_rejected() {
    let mut refused = 0;
    for number in 0..60 {
        let Some((text, _, passed, expected)) = program(number) else { continue };
        if expected.is_violated {
            continue;
        }
        let options =
            Options { reduction: [Reduction::None, Reduction::Decisions][number as usize % 2], ..Options::default() };
        let verdict = Interleaving { options }.check(&passed.program, &mut Run::unlimited());
        let Verdict::True(engine::Proof::Exploration(sets)) = verdict else { panic!("{verdict:?}\n{text}") };
        let check = |sets: Vec<engine::Explored>| {
            let proof = engine::Proof::Exploration(sets);
            certify::check_proof(&passed.program, &proof, &|| Box::new(Z3::new(Profile::Incremental))).is_err()
        };
        // A step that leads to a set whose place nothing else takes cannot be left out.
        let mut broken = sets.clone();
        if let Some(last) = broken.iter_mut().rev().find(|set| !set.steps.is_empty()) {
            last.steps.pop();
            assert!(check(broken), "program {number}: a step is missing\n{text}");
            refused += 1;
        }
        // Where states are told by a formula, it must hold in all of them.
        for formula in [term::build::falsehood(), term::Term::var("unheard of", term::Sort::bool())] {
            let mut broken = sets.clone();
            broken[sets.len() / 2].states = Some(formula);
            assert!(check(broken), "program {number}: {formula} is no formula of its states\n{text}");
        }
        assert!(check(Vec::new()), "program {number}");
    }
    assert!(refused >= 10, "{refused}: the test says little");
}
