//! What an object's bytes may hold: pointers, and numbers over which pointers could be read.

use super::{Low, Targets, join};
use std::collections::{BTreeMap, BTreeSet};

/// So many offsets are told apart; those that come later count as any. A copy inside an object may move what it finds again
/// and again.
const MOST_OFFSETS: usize = 256;

/// No number has more bytes.
const MOST_BYTES: u64 = 16;

/// What is stored in an object, by the offsets where it may start.
#[derive(Clone, Default, PartialEq, Debug)]
pub(super) struct Contents {
    pointers: BTreeMap<Low, Targets>,
    /// Offsets of numbers, and how many bytes they have.
    numbers: BTreeSet<(Low, u64)>,
}

impl Contents {
    /// Notes that a pointer may be stored. Whether that is new.
    pub fn add(&mut self, offset: Low, targets: &Targets) -> bool {
        let is_new = self.pointers.len() >= MOST_OFFSETS && !self.pointers.contains_key(&offset);
        join(self.pointers.entry(if is_new { Low::ANY } else { offset }).or_default(), targets)
    }

    /// Notes that a number may be stored. Whether that is new.
    pub fn add_number(&mut self, offset: Low, bytes: u64) -> bool {
        let is_new = self.numbers.len() >= MOST_OFFSETS && !self.numbers.contains(&(offset, bytes));
        self.numbers.insert(if is_new { (Low::ANY, MOST_BYTES) } else { (offset, bytes) })
    }

    /// Notes what is copied from another object, of which `length` bytes at `from` come to `to` here. Whether anything is new.
    pub fn add_copy(&mut self, other: &Contents, from: Low, to: Low, length: Option<u64>, pointer_bytes: u64) -> bool {
        let moved = |offset: Low| offset.minus(from).plus(to);
        let is_copied = |offset: Low, bytes: u64| length.is_none_or(|length| from.overlaps(length, offset, bytes));
        let mut changed = false;
        for (offset, targets) in other.pointers.iter().filter(|(offset, _)| is_copied(**offset, pointer_bytes)) {
            changed |= self.add(moved(*offset), targets);
        }
        for (offset, bytes) in other.numbers.iter().filter(|(offset, bytes)| is_copied(*offset, *bytes)) {
            changed |= self.add_number(moved(*offset), *bytes);
        }
        changed
    }

    /// The pointers that a load of a pointer may find.
    pub fn read(&self, offset: Low) -> Targets {
        let mut targets = Targets::new();
        for (start, there) in &self.pointers {
            if start.overlaps(1, offset, 1) {
                join(&mut targets, there);
            }
        }
        targets
    }

    /// Whether a load of so many bytes may find a part of a number.
    pub fn has_number(&self, offset: Low, bytes: u64) -> bool {
        self.numbers.iter().any(|(start, length)| start.overlaps(*length, offset, bytes))
    }

    /// The pointers of which a load of so many bytes may find a part.
    pub fn touched(&self, offset: Low, bytes: u64, pointer_bytes: u64) -> impl Iterator<Item = &Targets> {
        let touches = move |start: &Low| start.overlaps(pointer_bytes, offset, bytes);
        self.pointers.iter().filter(move |(start, _)| touches(start)).map(|(_, targets)| targets)
    }
}
