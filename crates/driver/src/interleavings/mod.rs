//! Sequentialisation against all executions of small random programs with threads: whatever can happen in K contexts is found with
//! the bound K, and what is found can be executed.
//!
//! The environment variable `FATHOM_RANDOM_PROGRAMS` sets how many programs are tried.

mod explore;

pub use explore::explore;

use crate::engines::induction::Options as InductionOptions;
use crate::engines::{ENGINES, Options};
use crate::pipeline::{Executions, Forms};
use crate::replay::replays;
use engine::{Cancel, Reason, Run, Trace, Verdict};

use ir::{Cfa, LocationKind, Program};
use pass::sequentialise;
use std::fmt::Write;
use std::time::Duration;
use term::random::Random;

/// Writes random programs: a first thread, two procedures that threads start with, and one that all may call.
struct Writer(Random);

impl Writer {
    fn below(&mut self, n: usize) -> usize {
        self.0.below(n)
    }

    fn variable(&mut self, local: &'static str) -> &'static str {
        ["x", "x", "y", local][self.below(4)]
    }

    fn value(&mut self, local: &'static str) -> String {
        let constant = format!("#b{:02b}", self.below(4));
        match self.below(4) {
            0 => constant,
            1 => self.variable(local).to_string(),
            2 => format!("(bvadd {} {constant})", self.variable(local)),
            _ => format!("(bvadd {} {})", self.variable(local), self.variable(local)),
        }
    }

    fn condition(&mut self, local: &'static str) -> String {
        let relation = ["=", "=", "bvult"][self.below(3)];
        format!("({relation} {} {})", self.variable(local), self.value(local))
    }

    fn operation(&mut self, local: &'static str, may_call: bool) -> String {
        match self.below(12) {
            0 => format!("havoc {}", self.variable(local)),
            1..6 => format!("{} := {}", self.variable(local), self.value(local)),
            6 => "atomic begin".to_string(),
            7 => "atomic end".to_string(),
            8 if may_call => format!("{} := call helper({})", self.variable(local), self.value(local)),
            9 if may_call => format!("{local} := spawn other({})", self.value(local)),
            _ => format!("assume {}", self.condition(local)),
        }
    }

    /// A path from entry to exit with a branch or two, one of them to an error.
    fn body(&mut self, text: &mut String, first: &[&str], local: &'static str, may_call: bool) {
        let length = first.len() + 2 + self.below(4);
        let _ = writeln!(text, "  entry -> M0: {local} := {}", ["#b00", "#b10"][self.below(2)]);
        for step in 0..length {
            let (from, to) =
                (format!("M{step}"), if step + 1 == length { "exit".into() } else { format!("M{}", step + 1) });
            if let Some(op) = first.get(step) {
                let _ = writeln!(text, "  {from} -> {to}: {op}");
            } else if self.below(4) == 0 {
                let condition = self.condition(local);
                let other = match self.below(3) {
                    0 => format!("M{}", self.below(length)),
                    _ => "wrong".to_string(),
                };
                let _ = writeln!(text, "  {from} -> {other}: assume {condition}");
                let _ = writeln!(text, "  {from} -> {to}: assume (not {condition})");
            } else {
                let _ = writeln!(text, "  {from} -> {to}: {}", self.operation(local, may_call));
            }
        }
        text.push_str("}\n");
    }

    fn program(&mut self) -> String {
        let mut text = String::from("property p unreach-call\nglobal x: bv2\nglobal y: bv2\n");
        text.push_str("procedure main() {\n  local z: bv2\n  location wrong error p\n");
        let sections =
            [&["z := spawn worker(y)"][..], &["atomic begin", "z := spawn worker(z)", "x := z", "atomic end"]];
        let start = sections[self.below(2)];
        let initial = ["x := #b00, y := #b01", "x := #b01"][self.below(2)];
        let first: Vec<&str> = std::iter::once(initial).chain(start.iter().copied()).collect();
        self.body(&mut text, &first, "z", true);
        text.push_str("procedure worker(a: bv2) {\n  local w: bv2\n  location wrong error p\n");
        let may_call = self.below(2) == 0;
        self.body(&mut text, &["w := (bvadd w a)"], "w", may_call);
        text.push_str("procedure other(b: bv2) {\n  local v: bv2\n  location wrong error p\n");
        self.body(&mut text, &["v := b"], "v", false);
        text.push_str("procedure helper(c: bv2) returns (r: bv2) {\n  local u: bv2\n  location wrong error p\n");
        self.body(&mut text, &["u := c", "r := (bvadd u x)"], "u", false);
        text
    }
}

/// The violation of an engine that bounds contexts, as the program before the passes has it.
fn decide(program: &Program, contexts: u16, context: &str) -> Option<Trace> {
    let induction = InductionOptions { unwind: Some(12), ..InductionOptions::default() };
    let options = Options { induction, ..Options::default() };
    let forms = Forms::default();
    for entry in ENGINES.iter().filter(|entry| entry.name != ::interleaving::NAME) {
        let passed = match entry.prepare(program, contexts, Executions::All, &forms, &options) {
            Ok(passed) => passed,
            Err(Reason::NotAttempted(_)) => continue,
            Err(why) => panic!("{why}\n{context}"),
        };
        let mut run = Run::new(Some(Duration::from_secs(20)), None, Cancel::new());
        match (entry.make)(&options, &passed).check(&passed.program, &mut run) {
            Verdict::True(_) => {}
            Verdict::False(trace) => return Some(passed.lift.trace(trace)),
            Verdict::Unknown(why) => panic!("{why}\n{context}"),
        }
    }
    None
}

/// Whether atomic sections are nested so deeply that the pass gives up.
fn has_unsupported(program: &Program) -> bool {
    let mut locations = program.procedures.iter().flat_map(|p| p.body.iter()).flat_map(Cfa::locations);
    locations.any(|(_, location)| matches!(location.kind, LocationKind::Unsupported(_)))
}

/// How many violations were found with each bound, by all means.
fn check(seed: u64, engines_too: bool, found: &mut [u32; 3]) {
    let text = Writer(Random::new(seed)).program();
    let program = ir::parse(&text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    ir::validate(&program).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    for contexts in 1..=3 {
        let context = format!("seed {seed}, {contexts} contexts\n{text}");
        let Ok(expected) = explore(&program, contexts) else { return };
        if let Some(trace) = &expected {
            assert_eq!(replays(&program, trace), Ok(()), "the exploration is wrong: {context}");
            found[contexts as usize - 1] += 1;
        }
        let confirm = |found: Option<Trace>, who: &str| {
            if let Some(trace) = &found {
                let replayed = replays(&program, trace);
                assert_eq!(replayed, Ok(()), "{who} finds what cannot happen: {trace:?}\n{context}");
            }
            assert!(found.is_some() || expected.is_none(), "{who} misses a violation: {expected:?}\n{context}");
        };
        if contexts <= 2 {
            // The woven program with its calls, state by state: there all the guesses are tried.
            let woven = sequentialise(&program, contexts as u16).unwrap_or_else(|why| panic!("{why}\n{context}"));
            ir::validate(&woven.program).unwrap_or_else(|errors| panic!("{errors:?}\n{context}"));
            if has_unsupported(&woven.program) {
                return;
            }
            if let Ok(found) = explore(&woven.program, 1) {
                confirm(found.map(|trace| woven.lift.trace(trace)), "the woven program");
            }
        }
        if engines_too {
            confirm(decide(&program, contexts as u16, &context), "an engine");
        }
    }
}

/// What the engine that explores all contexts says, in all its ways: what it proves is so, as far as executions tell, and can be
/// proved again; what it finds can be executed. How many programs each way proved and how many violations it found.
fn check_all_contexts(seed: u64, decided: &mut Vec<[u32; 2]>) {
    // Nobody reads the numbers of threads here.
    let text = Writer(Random::new(seed)).program().replace("z := spawn", "number := spawn");
    let text = text.replace("w := spawn", "number := spawn").replacen("global x", "global number: bv2\nglobal x", 1);
    let program = ir::parse(&text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let known = (1..=4).find_map(|contexts| explore(&program, contexts).ok().flatten());
    let forms = Forms::default();
    for (way, entry) in ENGINES.iter().filter(|entry| entry.name == ::interleaving::NAME).enumerate() {
        let context = format!("seed {seed}, way {way}\n{text}");
        decided.resize(decided.len().max(way + 1), [0; 2]);
        let Ok(passed) = entry.prepare(&program, 1, Executions::All, &forms, &Options::default()) else { continue };
        ir::validate(&passed.program).unwrap_or_else(|errors| panic!("{errors:?}\n{context}"));
        let mut run = Run::new(Some(Duration::from_secs(5)), None, Cancel::new());
        match (entry.make)(&Options::default(), &passed).check(&passed.program, &mut run) {
            Verdict::True(proof) => {
                assert!(known.is_none(), "what can happen is proved not to: {known:?}\n{context}");
                let smt = || -> Box<dyn solver::Smt> { Box::new(solver::Z3::new(solver::Profile::Incremental)) };
                let checked = certify::check_proof(&passed.program, &proof, &smt);
                assert_eq!(checked, Ok(()), "{context}");
                decided[way][0] += 1;
            }
            Verdict::False(trace) => {
                let replayed = replays(&program, &passed.lift.trace(trace));
                assert!(replayed.is_ok(), "{replayed:?}\n{context}");
                decided[way][1] += 1;
            }
            Verdict::Unknown(Reason::Internal(why)) => panic!("{why}\n{context}"),
            Verdict::Unknown(_) => {}
        }
    }
}

#[test]
fn what_is_proved_for_all_contexts_is_so() {
    let programs = std::env::var("FATHOM_RANDOM_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(40);
    let mut decided = Vec::new();
    for seed in 0..programs {
        check_all_contexts(seed, &mut decided);
    }
    let says_much =
        |[proved, violated]: &[u32; 2]| u64::from(*proved) * 12 > programs && u64::from(*violated) * 12 > programs;
    assert!(decided.len() == 4 && decided[1..].iter().all(says_much), "{decided:?}: the test says little");
}

#[test]
fn what_threads_can_do_is_found_and_can_be_executed() {
    let programs = std::env::var("FATHOM_RANDOM_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(40);
    let mut found = [0; 3];
    for seed in 0..programs {
        check(seed, seed % 4 == 0, &mut found);
    }
    let [one, _, three] = found;
    assert!(u64::from(three) * 5 > programs && three > one, "{found:?}: the test says little");
}
