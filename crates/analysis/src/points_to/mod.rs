//! Points-to analysis: which objects a pointer may point to, and at which offsets.
//!
//! Inclusion-based (Andersen's way), over all edges of all procedures regardless of their order. Objects are the static
//! ones and one for each place that allocates; what comes from outside the program points to external objects ([`Foreign`]
//! says which). Of offsets it is kept how far they are apart ([`Low`]), so that fields and elements of arrays can be told
//! apart.
//!
//! A pointer that is read over bytes that were stored as numbers, or made from a number, points to an object whose address may
//! have become a number: through the map of addresses, or because bytes of a pointer to it were read as a number.
//!
//! Assumptions: a pointer variable that was never set has an indeterminate value, and what an access through it does has no meaning in C. It
//! is taken to point to memory that no other pointer from outside points to, and that keeps what is written there. An execution that reads or writes through a pointer outside its object has left the language, and what
//! happens afterwards is not covered. Pointers from outside do not point to objects that the program made, and numbers that
//! are not made from an object's address are not its address.
//!
//! Invariant: in an execution inside the language, a pointer's object is one of its targets, or the pointer is null or
//! is never used.

mod contents;
mod flow;
mod offset;

pub use offset::Low;

use contents::Contents;
use flow::Flow;
use ir::{EdgeId, ProcId, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use term::Term;

/// An abstract object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Object {
    /// The static object of this identity; 0 is the memory at addresses that the program writes down as numbers.
    Static(u32),
    /// All objects whose identity the edge takes from `$next`.
    Site(ProcId, EdgeId),
    /// A group of objects that the program did not make itself. The group 0 is all of them that are not told apart.
    External(u32),
}

/// What is assumed about pointers from outside the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Foreign {
    /// They may point into any external object: there is one group of them. Only a variable that was declared and never set
    /// has one value, which nobody else has, so it has a group with one object.
    Any,
    /// Pointers that come from different places point to different objects, and all to one offset: each place has its own
    /// group. Numbers in memory that are read as pointers are no objects' addresses. This is not all that can happen, but
    /// enough to look for an execution.
    Distinct,
}

impl Foreign {
    /// There are at most so many groups of external objects; their identities have the group's number in the bits above
    /// [`GROUP_BITS`].
    pub const MOST_GROUPS: u32 = 1 << (31 - GROUP_BITS);
}

/// Where pointers from outside point to in their objects, if they are told apart: what lies in front of that can be reached, too,
/// as the struct that a list's link is a part of.
pub const MIDDLE: u64 = 1 << 12;

/// So many low bits of an external object's identity tell it apart from others of its group.
pub const GROUP_BITS: u32 = 16;

/// The objects that a pointer may point to, each with its offsets.
pub type Targets = BTreeMap<Object, Low>;

/// The result of the analysis.
pub struct PointsTo {
    foreign: Foreign,
    variables: FxHashMap<Term, Targets>,
    contents: FxHashMap<Object, Contents>,
    /// Objects whose address may become a number somewhere.
    exposed: Targets,
    /// What static objects hold when the program proper starts: ranges of offsets that were written to.
    initialised: FxHashMap<u32, Vec<(u64, u64)>>,
    /// How large static objects are.
    sizes: FxHashMap<u32, u64>,
    groups: FxHashMap<Origin, u32>,
    /// Variables that were declared and never set.
    unset: FxHashSet<Term>,
    /// How many loads from external objects lead to a group.
    depths: Vec<u32>,
    pointer_bytes: u64,
}

/// Where a pointer from outside comes in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Origin {
    /// The arbitrary value of a variable.
    Variable(Term),
    /// Memory that was not written to.
    Memory(Object, Low),
}

impl PointsTo {
    pub fn new(program: &Program, foreign: Foreign) -> PointsTo {
        let mut flow = Flow::new(program, foreign);
        while flow.round() {}
        flow.result
    }

    /// The targets of a pointer term, or of a term that is an object's identity (then offsets mean nothing).
    pub fn targets(&self, term: Term) -> Targets {
        flow::Reader { result: self }.targets(term)
    }

    /// The offsets that a bit-vector term may denote.
    pub fn offsets(&self, term: Term) -> Low {
        flow::low(self, term, None)
    }

    /// The targets of an arbitrary value of a variable.
    pub fn arbitrary(&self, variable: Term) -> Targets {
        self.external(Origin::Variable(variable))
    }

    /// What a pointer from a place outside points to.
    fn external(&self, origin: Origin) -> Targets {
        let group = self.groups.get(&origin).copied().unwrap_or(0);
        let offset = if self.foreign == Foreign::Any && group == 0 { Low::ANY } else { Low::exact(MIDDLE) };
        Targets::from([(Object::External(group), offset)])
    }
}

/// Adds targets. Whether there is anything new.
fn join(into: &mut Targets, from: &Targets) -> bool {
    let mut changed = false;
    for (object, low) in from {
        match into.get_mut(object) {
            None => {
                into.insert(*object, *low);
                changed = true;
            }
            Some(known) => {
                // Addresses that the program writes down are not offsets in an object.
                let is_address = *object == Object::Static(0);
                let joined = if is_address { known.join_numbers(*low) } else { known.join(*low) };
                changed |= joined != *known;
                *known = joined;
            }
        }
    }
    changed
}
