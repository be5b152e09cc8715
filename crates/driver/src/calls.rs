//! Engines and passes against all executions of small random programs with calls and recursion: whatever can happen is found or
//! left open, never excluded, and what is found can be executed.
//!
//! The environment variable `FATHOM_RANDOM_PROGRAMS` sets how many programs are tried.

use crate::engines::induction::Options as InductionOptions;
use crate::engines::stratified::Options as StratifiedOptions;
use crate::engines::{ENGINES, Entry, Options};
use crate::interleavings::explore;
use crate::pipeline::{Executions, Forms};
use crate::replay::replays;
use certify::check_proof;
use engine::{Cancel, Reason, Run, Verdict};
use pass::{Passed, Recursion, inline, recursive};
use solver::{Profile, Z3};
use std::fmt::Write;
use std::time::Duration;
use term::random::Random;

/// Writes random programs: `main` and two procedures that call each other and themselves.
struct Writer {
    random: Random,
    /// Of the procedure that is being written: its names end so.
    suffix: usize,
}

impl Writer {
    fn below(&mut self, n: usize) -> usize {
        self.random.below(n)
    }

    fn variable(&mut self) -> String {
        match self.below(4) {
            0 => "x".to_string(),
            1 => "y".to_string(),
            2 => format!("z{}", self.suffix),
            _ => format!("a{}", self.suffix),
        }
    }

    fn value(&mut self) -> String {
        let constant = format!("#b{:02b}", self.below(4));
        match self.below(4) {
            0 => constant,
            1 => self.variable(),
            2 => format!("(bvadd {} {constant})", self.variable()),
            _ => format!("(bvadd {} {})", self.variable(), self.variable()),
        }
    }

    fn condition(&mut self) -> String {
        let relation = ["=", "=", "bvult"][self.below(3)];
        format!("({relation} {} {})", self.variable(), self.value())
    }

    fn operation(&mut self) -> String {
        match self.below(10) {
            0 => format!("havoc {}", self.variable()),
            1..5 => format!("{} := {}", self.variable(), self.value()),
            5..8 => format!("{} := call {}({})", self.variable(), ["f", "g"][self.below(2)], self.value()),
            _ => format!("assume {}", self.condition()),
        }
    }

    /// A path from entry to exit with a branch or two, few of them to the error.
    fn body(&mut self, text: &mut String) {
        let length = 2 + self.below(4);
        let suffix = self.suffix;
        let _ = writeln!(text, "  entry -> M0: z{suffix} := #b00, r{suffix} := a{suffix}");
        for step in 0..length {
            let to = if step + 1 == length { "exit".to_string() } else { format!("M{}", step + 1) };
            if self.below(3) == 0 {
                let condition = self.condition();
                let other = match self.below(4) {
                    0 => format!("M{}", self.below(length)),
                    1 => "wrong".to_string(),
                    _ => "exit".to_string(),
                };
                let _ = writeln!(text, "  M{step} -> {other}: assume {condition}");
                let _ = writeln!(text, "  M{step} -> {to}: assume (not {condition})");
            } else {
                let _ = writeln!(text, "  M{step} -> {to}: {}", self.operation());
            }
        }
        text.push_str("}\n");
    }

    fn program(&mut self) -> String {
        let mut text = String::from("property p unreach-call\nglobal x: bv2\nglobal y: bv2\n");
        for (suffix, name) in ["main", "f", "g"].iter().enumerate() {
            self.suffix = suffix;
            if suffix == 0 {
                text.push_str("procedure main() {\n  local a0: bv2\n  local r0: bv2\n");
            } else {
                let _ = writeln!(text, "procedure {name}(a{suffix}: bv2) returns (r{suffix}: bv2) {{");
            }
            let _ = writeln!(text, "  local z{suffix}: bv2\n  location wrong error p");
            self.body(&mut text);
        }
        text
    }
}

#[derive(Default, Debug)]
struct Tally {
    /// Programs with a violation, with recursion, and with both.
    violated: u32,
    recursive: u32,
    both: u32,
    proved: u32,
    found: u32,
    open: u32,
}

fn check(seed: u64, tally: &mut Tally) {
    let text = Writer { random: Random::new(seed), suffix: 0 }.program();
    let program = ir::parse(&text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    ir::validate(&program).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let Ok(expected) = explore(&program, 1) else { return };
    let is_recursive = !recursive(&program).is_empty();
    tally.violated += u32::from(expected.is_some());
    tally.recursive += u32::from(is_recursive);
    tally.both += u32::from(is_recursive && expected.is_some());
    let context = format!("seed {seed}\n{text}");
    let merged = inline(&program, Recursion::Merged, 10_000).unwrap_or_else(|why| panic!("{why}\n{context}"));
    ir::validate(&merged.program).unwrap_or_else(|errors| panic!("{errors:?}\n{context}"));
    if let Ok(found) = explore(&merged.program, 1) {
        assert!(found.is_some() || expected.is_none(), "merged activations can do less: {context}");
    }
    // The ways of this engine take all their time where activations were merged.
    let is_left_out = |entry: &&Entry| entry.name == ::interleaving::NAME && !seed.is_multiple_of(15);
    let forms = Forms::default();
    for entry in ENGINES.iter().filter(|entry| !is_left_out(entry)) {
        let context = format!("{}, {context}", entry.name);
        if let Ok(passed) = entry.prepare(&program, 1, Executions::All, &forms, &Options::default()) {
            match ask(entry, &passed) {
                Verdict::True(proof) => {
                    tally.proved += 1;
                    assert!(expected.is_none(), "a wrong proof: {context}");
                    let checked = check_proof(&passed.program, &proof, &|| Box::new(Z3::new(Profile::Incremental)));
                    assert_eq!(checked, Ok(()), "{context}");
                }
                Verdict::False(trace) => {
                    let replayed = replays(&program, &passed.lift.trace(trace));
                    tally.found += u32::from(replayed.is_ok());
                    let may_be_more = is_recursive && entry.name != "stratified";
                    assert!(replayed.is_ok() || may_be_more, "{replayed:?}: {context}");
                }
                Verdict::Unknown(Reason::Internal(what)) => panic!("{what}: {context}"),
                Verdict::Unknown(_) => tally.open += 1,
            }
        }
        if let Ok(passed) = entry.prepare(&program, 1, Executions::Replayable, &forms, &Options::default())
            && let Verdict::False(trace) = ask(entry, &passed)
        {
            assert_eq!(replays(&program, &passed.lift.trace(trace)), Ok(()), "for violations: {context}");
        }
    }
}

/// A program that needs more memory than this is left undecided.
const MEMORY: u64 = 6 << 30;

fn ask(entry: &Entry, passed: &Passed) -> Verdict {
    let stratified = StratifiedOptions { recursion_bound: Some(3), ..StratifiedOptions::default() };
    let induction = InductionOptions { unwind: Some(12), ..InductionOptions::default() };
    let options = Options { stratified, induction, ..Options::default() };
    let mut run = Run::new(Some(Duration::from_secs(5)), Some(MEMORY), Cancel::new());
    (entry.make)(&options, passed).check(&passed.program, &mut run)
}

#[test]
fn what_calls_can_do_is_never_excluded() {
    let programs = std::env::var("FATHOM_RANDOM_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(150);
    let mut tally = Tally::default();
    (0..programs).for_each(|seed| check(seed, &mut tally));
    let some = programs as u32 / 10;
    let Tally { violated, both, proved, found, .. } = tally;
    assert!(violated > some && both > some / 2 && proved > some && found > some, "{tally:?}: the test says little");
    println!("{tally:?}");
}
