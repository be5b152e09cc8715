//! What programs carry for their users: names, types and places, among them odd ones.

use super::Config;
use source::{Place, Symbol};
use term::random::Random;

const NAMES: &[&str] = &[
    "x",
    "main",
    "call",
    "spawn",
    "assume",
    "havoc",
    "skip",
    "atomic",
    "entry",
    "exit",
    "L1",
    "P0",
    "location",
    "local",
    "name",
    "two words",
    "1st",
    "",
    "a|b",
    "back\\slash",
    "quote\"",
    "semi;colon",
    "line\nbreak",
    "tab\t",
    "ünï",
    "x@1",
    "@1:2",
    "f::x",
    "true",
    "bvadd",
    "let",
    "_",
    "!",
    "Bool",
    "bv32",
    "x:",
    "->",
    ":=",
    ",",
    "...",
    "#b1",
    "-5",
];

const TYPES: &[&str] = &["int", "unsigned int", "struct s *", "char [3]", "", "\"\\\n\u{7f}\u{200b}é"];

/// A name that may be hard to write.
pub(super) fn name(rng: &mut Random) -> Symbol {
    rng.pick(NAMES).to_owned().into()
}

pub(super) fn user_type(rng: &mut Random) -> Symbol {
    rng.pick(TYPES).to_owned().into()
}

pub(super) fn place(rng: &mut Random, config: &Config) -> Option<Place> {
    if !config.decorated || rng.once_in(3) {
        return None;
    }
    let file = Symbol::new(if rng.once_in(5) { "dir/other \"file\".h" } else { super::FILE });
    let line = if rng.once_in(50) { u32::MAX } else { 1 + rng.below(200) as u32 };
    Some(Place { file, line, column: 1 + rng.below(80) as u32 })
}
