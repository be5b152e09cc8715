//! Locations of one procedure: what is written about them, and which numbers they get.
//!
//! `L7` is number 7; `entry` and `exit` are the procedure's; any other word is a location too, and takes one of the
//! numbers that no `L` mentions, in the order in which the words come first. So what the printer writes gets its
//! numbers back, and who writes by hand need not count.

use super::cursor::{Cursor, Failure, Parsed};
use crate::{LocId, Location, LocationKind};
use rustc_hash::FxHashMap;

/// A location as it was mentioned, before the numbers are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mention {
    Number(u32),
    /// The n-th word.
    Word(u32),
    Entry,
    Exit,
}

/// The locations of a procedure that is being read.
pub(super) struct Locations<'a> {
    words: FxHashMap<&'a str, u32>,
    entry: Mention,
    exit: Mention,
    /// How often numbers were mentioned; there cannot be more of them.
    numbers: usize,
    /// The highest number and where it was mentioned.
    highest: (u32, usize),
    declared: Vec<Declared>,
}

struct Declared {
    mention: Mention,
    location: Location,
    start: usize,
    end: usize,
}

impl<'a> Locations<'a> {
    pub(super) fn new() -> Locations<'a> {
        Locations {
            words: FxHashMap::default(),
            entry: Mention::Number(0),
            exit: Mention::Number(1),
            numbers: 2,
            highest: (0, 0),
            declared: Vec::new(),
        }
    }

    /// The location that is mentioned here.
    pub(super) fn mention(&mut self, cursor: &mut Cursor<'a>) -> Parsed<Mention> {
        let word = cursor.peek_word();
        if word.is_empty() {
            return Err(cursor.expected("a location"));
        }
        let start = cursor.position();
        cursor.jump(start + word.len());
        self.word(word, start)
    }

    /// The location that a word at `start` mentions.
    pub(super) fn word(&mut self, word: &'a str, start: usize) -> Parsed<Mention> {
        if !is_location(word) {
            let message = format!("expected a location, found `{word}`");
            return Err(Failure { start, end: start + word.len(), message });
        }
        let digits = word.strip_prefix('L').filter(|digits| digits.bytes().all(|b| b.is_ascii_digit()));
        Ok(match (word, digits) {
            ("entry", _) => Mention::Entry,
            ("exit", _) => Mention::Exit,
            (_, Some(digits)) if !digits.is_empty() => {
                let number = digits.parse().map_err(|_| Failure {
                    start,
                    end: start + word.len(),
                    message: format!("the number of {word} is too large"),
                })?;
                self.numbers += 1;
                self.highest = self.highest.max((number, start));
                Mention::Number(number)
            }
            _ => {
                let next = self.words.len() as u32;
                Mention::Word(*self.words.entry(word).or_insert(next))
            }
        })
    }

    /// Says which location is the entry or the exit.
    pub(super) fn set_end(&mut self, entry: bool, is: Mention) {
        *if entry { &mut self.entry } else { &mut self.exit } = is;
    }

    pub(super) fn declare(&mut self, mention: Mention, location: Location, start: usize, end: usize) {
        self.declared.push(Declared { mention, location, start, end });
    }

    /// Gives the numbers, now that all mentions are known.
    pub(super) fn resolve(self, edges: impl Iterator<Item = Mention>) -> Result<Resolved, Failure> {
        let numbers = edges.chain(self.declared.iter().map(|d| d.mention)).chain([self.entry, self.exit]);
        let mut used = vec![false; self.numbers];
        for mention in numbers {
            if let Mention::Number(number) = mention
                && let Some(slot) = used.get_mut(number as usize)
            {
                *slot = true;
            }
        }
        let count = used.iter().filter(|used| **used).count() + self.words.len();
        if self.highest.0 as usize >= count {
            let missing = used.iter().position(|used| !used).unwrap_or(used.len());
            let (highest, start) = self.highest;
            let message =
                format!("L{highest} is mentioned, but L{missing} is not; declare it as `location L{missing}`");
            return Err(Failure { start, end: start, message });
        }
        let free = (0..count as u32).filter(|n| !used.get(*n as usize).copied().unwrap_or(false));
        let words: Vec<LocId> = free.map(LocId).collect();
        let plain = Location { kind: LocationKind::Plain, label: None, place: None };
        let mut resolved = Resolved { words, entry: LocId(0), exit: LocId(1), locations: vec![plain; count] };
        resolved.entry = resolved.number(self.entry);
        resolved.exit = resolved.number(self.exit);
        let mut seen = vec![false; count];
        for Declared { mention, location, start, end } in self.declared {
            let number = resolved.number(mention).0 as usize;
            if std::mem::replace(&mut seen[number], true) {
                return Err(Failure { start, end, message: "the location is declared twice".to_string() });
            }
            resolved.locations[number] = location;
        }
        Ok(resolved)
    }
}

/// Whether a word can mean a location; the first words of other lines cannot.
fn is_location(word: &str) -> bool {
    !matches!(word, "local" | "location") && !word.starts_with(|c: char| c.is_ascii_digit())
}

/// Locations and their numbers.
pub(super) struct Resolved {
    words: Vec<LocId>,
    pub entry: LocId,
    pub exit: LocId,
    pub locations: Vec<Location>,
}

impl Resolved {
    pub(super) fn number(&self, mention: Mention) -> LocId {
        match mention {
            Mention::Number(number) => LocId(number),
            Mention::Word(word) => self.words[word as usize],
            Mention::Entry => self.entry,
            Mention::Exit => self.exit,
        }
    }
}
