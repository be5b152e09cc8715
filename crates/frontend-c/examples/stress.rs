//! Feeds mutated programs to the parser: `cargo run --release --example stress -- RUNS SEED FILE...`
//!
//! Each run takes a piece of a file, changes bytes, tokens or lines of it, and parses it. A panic ends the program and
//! leaves the input in `stress-failure.c`; the slowest input is reported at the end.

use frontend_c::syntax::parse_bytes;
use std::path::Path;
use std::time::{Duration, Instant};

/// Longer inputs only slow the search down.
const LONGEST: usize = 20_000;

/// Words and signs that mean something to the parser.
const WORDS: &[&str] = &[
    "int",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    "=",
    "*",
    ":",
    "?",
    "...",
    "\\\n",
    "\"",
    "'",
    "/*",
    "*/",
    "//",
    "\n#",
    "\n# 7 \"f.c\"\n",
    "\n#pragma pack(1)\n",
    "typedef",
    "struct",
    "union",
    "enum",
    "static",
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default",
    "goto",
    "return",
    "sizeof",
    "_Alignof",
    "_Generic",
    "_Atomic(",
    "__attribute__((",
    "__attribute__((aligned(",
    "))",
    "asm",
    "asm(",
    "__label__",
    "__extension__",
    "typeof(",
    "_Static_assert(",
    "({",
    "})",
    "&&",
    "->",
    ".",
    "__builtin_offsetof(",
    "__builtin_va_arg(",
    "_Complex",
    "long",
    "unsigned",
    "__int128",
    "float",
    "0x",
    "1e",
    "0b1",
    "1.5p3",
    "L\"",
    "u8'",
    "\\u00e9",
    "\u{e9}",
    "\0",
    "[[",
    "]]",
    "inline",
    "const",
    "void",
    "f(void)",
    "x",
];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default| arguments.next().map_or(default, |text| text.parse().expect("a number"));
    let (runs, seed): (u64, u64) = (number(100_000), number(1));
    let files: Vec<Vec<u8>> = arguments.map(|path| std::fs::read(path).expect("a readable file")).collect();
    assert!(!files.is_empty(), "no files to mutate");
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let (mut with_errors, mut slowest) = (0u64, (Duration::ZERO, Vec::new()));
    for _ in 0..runs {
        let input = mutated(&files, &mut random);
        let start = Instant::now();
        match std::panic::catch_unwind(|| parse_bytes(&input)) {
            Ok(count) => with_errors += u64::from(count > 0),
            Err(_) => {
                std::fs::write(Path::new("stress-failure.c"), &input).expect("a writable folder");
                std::process::exit(1);
            }
        }
        if start.elapsed() > slowest.0 {
            slowest = (start.elapsed(), input);
        }
    }
    println!(
        "{runs} runs, {with_errors} with errors; the slowest took {:.1?} for {} bytes",
        slowest.0,
        slowest.1.len()
    );
}

/// A piece of a file with one to eight changes.
fn mutated(files: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let file = &files[random.below(files.len())];
    let start = if file.len() > LONGEST { random.below(file.len() - LONGEST) } else { 0 };
    let mut text = file[start..(start + LONGEST).min(file.len())].to_vec();
    for _ in 0..=random.below(8) {
        let (from, to) = random.range(text.len());
        match random.below(7) {
            0 if from < text.len() => text[from] = random.below(256) as u8,
            1 => drop(text.drain(from..to)),
            2 => {
                let piece = text[from..to].to_vec();
                let at = random.below(text.len() + 1);
                text.splice(at..at, piece);
            }
            3 => {
                let piece = text[from..to.min(from + 8)].repeat(1 + random.below(40));
                text.splice(from..from, piece);
            }
            4 => text.truncate(to),
            _ => {
                let word = WORDS[random.below(WORDS.len())].as_bytes().repeat(1 + random.below(3) * random.below(20));
                text.splice(from..from, word);
            }
        }
    }
    text
}

/// Marsaglia's xorshift generator: good enough here, and the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// A range inside `0..length`, mostly a short one.
    fn range(&mut self, length: usize) -> (usize, usize) {
        let from = self.below(length + 1);
        let longest = if self.below(4) == 0 { length } else { 30 };
        (from, (from + self.below(longest + 1)).min(length))
    }
}
