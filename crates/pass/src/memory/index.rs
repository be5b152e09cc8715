//! What the offset of an access is made of: the pointer that it begins with, and what is added.
//!
//! In `t[i].data[j]`, the element `i` moves from one record to the next and `j` inside of an array of the record. Which of the
//! summands stay inside a part of the record is what [`super::regions`] asks.

use analysis::points_to::{Low, Object, PointsTo};
use term::{Op as TermOp, Term};

/// The address of an access as a sum.
pub struct Address {
    /// The pointer that is moved; nothing if the offset is made of numbers alone.
    pub base: Option<Term>,
    /// The numbers that are added to the offset of the base.
    pub index: Vec<Term>,
}

impl Address {
    pub fn new(at: Term) -> Address {
        let (TermOp::Pointer, [object, offset]) = (at.op(), at.args()) else {
            return Address { base: Some(at), index: Vec::new() };
        };
        let moved = match (object.op(), object.args()) {
            (TermOp::PointerObject, [moved]) => Some(*moved),
            _ => None,
        };
        let mut address = Address { base: None, index: Vec::new() };
        let mut pending = vec![*offset];
        while let Some(part) = pending.pop() {
            match (part.op(), part.args()) {
                (TermOp::BvAdd, [a, b]) => pending.extend([*b, *a]),
                (TermOp::PointerOffset, [own]) if address.base.is_none() && moved == Some(*own) => {
                    address.base = Some(*own);
                }
                _ => address.index.push(part),
            }
        }
        address
    }

    /// Where the base points to in an object.
    pub fn base_in(&self, object: Object, points_to: &PointsTo) -> Low {
        match self.base {
            Some(base) => points_to.targets(base).get(&object).copied().unwrap_or(Low::ANY),
            None => Low::exact(0),
        }
    }
}

/// An access as the layout sees it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Touched {
    pub offset: Low,
    pub base: Low,
    pub index: Vec<Low>,
    pub bytes: u64,
}

/// Where an access starts, as far as a stride tells, and what moves from there.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// Known as far as the stride tells.
    pub at: Low,
    /// What is added besides; nothing if the access is at one place.
    pub moves: Option<Low>,
}

impl Touched {
    /// The start, if the base is known.
    pub fn start(&self, stride: u64) -> Option<Start> {
        if self.offset.is_known(stride) {
            return Some(Start { at: self.offset.known_to(stride), moves: None });
        }
        let known = |low: &&Low| low.is_known(stride);
        let at = self.index.iter().filter(known).fold(self.base, |sum, low| sum.plus(*low));
        let moves = self.index.iter().filter(|low| !known(low)).copied().reduce(Low::plus);
        self.base.is_known(stride).then(|| Start { at: at.known_to(stride), moves })
    }
}
