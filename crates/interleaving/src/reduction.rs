//! Partial-order reduction (Section 3.4): which threads may move alone.
//!
//! A set of threads may move alone from a state where one of them can move, if what they are about to do commutes with *all that
//! the others may still do*: then every execution is one in which a thread of the set moves first, up to the order of steps that
//! commute. As printed, the rule looks only at what the others are about to do; it misses violations
//! ([`Rule::Printed`] keeps it for comparison).
//!
//! What else differs from the print:
//! * A thread may be unable to move in some of the explicit states that a symbolic state stands for. In those the others must be
//!   explored all the same; [`crate::successors`] does so.
//! * Not only single threads are tried: a thread is joined by those whose futures conflict with what it is about to do,
//!   until nothing conflicts any more.
//! * A step that begins an atomic section, ends the program or starts threads without end commutes with nothing.

use crate::code::Code;
use crate::state::Control;
use ir::{LocId, ProcId};

/// Which rule says that threads are independent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    Sound,
    /// The paper's rule, which is unsound.
    Printed,
}

/// Sets of threads that may move alone, small ones first; among equals those with the thread that moved last.
pub fn candidates(code: &Code, control: &Control, rule: Rule, last: Option<usize>) -> Vec<Vec<usize>> {
    let count = control.threads.len();
    if count < 2 || control.atomic.is_some() {
        return Vec::new();
    }
    let start = last.unwrap_or(0);
    let mut found: Vec<Vec<usize>> = Vec::new();
    for first in (0..count).map(|offset| (start + offset) % count) {
        let set = match rule {
            Rule::Sound => closed(code, control, first),
            Rule::Printed => is_independent_as_printed(code, control, first).then(|| vec![first]),
        };
        if let Some(set) = set
            && !found.contains(&set)
        {
            found.push(set);
        }
    }
    found.sort_by_key(Vec::len);
    found
}

/// The smallest set with a thread that commutes with all that is outside of it, unless that is all threads.
fn closed(code: &Code, control: &Control, first: usize) -> Option<Vec<usize>> {
    let point = |thread: usize| {
        let (procedure, location): (ProcId, LocId) = control.threads[thread];
        code.point(procedure, location)
    };
    let mut is_member = vec![false; control.threads.len()];
    is_member[first] = true;
    let mut pending = vec![first];
    while let Some(member) = pending.pop() {
        if point(member).is_global {
            return None;
        }
        for (other, joins) in is_member.iter_mut().enumerate() {
            if !*joins && point(member).now.conflicts(&point(other).future) {
                *joins = true;
                pending.push(other);
            }
        }
    }
    let members: Vec<usize> = (0..control.threads.len()).filter(|thread| is_member[*thread]).collect();
    (members.len() < control.threads.len()).then_some(members)
}

/// The test as it is printed: W_t ∩ ⋃ (R_i ∪ W_i) = ∅ and R_t ∩ ⋃ W_i = ∅, of the statements that come next.
fn is_independent_as_printed(code: &Code, control: &Control, thread: usize) -> bool {
    let now = |thread: usize| {
        let (procedure, location) = control.threads[thread];
        &code.point(procedure, location).now
    };
    (0..control.threads.len()).filter(|other| *other != thread).all(|other| !now(thread).conflicts(now(other)))
}
