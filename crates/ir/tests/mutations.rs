//! Texts that are almost programs: nothing panics, and what is a valid program is still printed exactly.

use ir::random::{self, Config};
use ir::{DataModel, parse, parse_bytes, print, validate};
use term::random::Random;

const WORDS: &[&str] = &[
    "(",
    ")",
    "->",
    ":=",
    ":",
    ",",
    "@1:2",
    "|",
    "\"",
    "\\",
    "\n",
    ";",
    "{",
    "}",
    "entry",
    "exit",
    "L1",
    "L4294967295",
    "local",
    "location",
    "procedure",
    "call f(",
    "spawn",
    "assume",
    "havoc",
    "skip",
    "(as x Int)",
    "bv8",
    "(Array ",
    "(let ((?1 ",
    "(forall ((x Int)) ",
    "...",
    "returns (",
    "#x00",
    "-5",
    "1/0",
    "é",
    "::",
    "x@1",
    "error P0",
    "((_ zero_extend 4294967295) ",
    "(_ array Int 0 (1 7))",
    "size 99999999999999999999",
];

/// A few random changes.
fn mutate(random: &mut Random, text: &mut Vec<u8>) {
    for _ in 0..1 + random.below(4) {
        let at = random.below(text.len());
        let end = (at + random.below(40)).min(text.len());
        match random.below(5) {
            0 => text[at] = random.bits() as u8,
            1 => _ = text.drain(at..end),
            2 => {
                let piece = text[at..end].to_vec();
                let to = random.below(text.len());
                text.splice(to..to, piece);
            }
            _ => _ = text.splice(at..at, random.pick(WORDS).bytes()),
        }
        text.push(b'\n');
    }
}

#[test]
fn mutated_programs() {
    let mut config = Config::everything(DataModel::Ilp32);
    (config.locations, config.procedures, config.depth) = (4, 2, 3);
    let mut valid = 0;
    let texts: Vec<String> = (0..50).map(|seed| print(&random::program(seed, &config))).collect();
    for seed in 0..4000 {
        let mut text = texts[seed % texts.len()].clone().into_bytes();
        mutate(&mut Random::new(seed as u64), &mut text);
        let Ok(program) = parse_bytes(&text) else { continue };
        let printed = print(&program);
        if validate(&program).is_ok() {
            valid += 1;
            let again = parse(&printed).unwrap_or_else(|errors| panic!("seed {seed}: {}\n{printed}", errors[0]));
            assert!(again == program, "seed {seed} changes\n{printed}");
        }
    }
    assert!(valid > 100, "only {valid} mutations are programs, so they test little");
}
