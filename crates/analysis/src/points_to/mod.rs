//! Points-to analysis: which objects a pointer may point to, and at which offsets.
//!
//! Inclusion-based (Andersen's way), over all edges of all procedures regardless of their order. Objects are the static
//! ones and one for each place that allocates; what comes from outside the program points to one external object. Of
//! offsets the low bits are kept ([`Low`]), so that fields and elements of arrays can be told apart.
//!
//! Assumption: an execution that reads or writes through a pointer outside its object has left the language; what happens
//! afterwards is not covered. So a pointer that was never assigned points to nothing but the external object.
//!
//! Invariant: in an execution inside the language, a pointer's object is one of its targets, or the pointer is null or
//! is never used.

mod flow;
mod offset;

pub use offset::Low;

use flow::Flow;
use ir::{EdgeId, ProcId, Program};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use term::Term;

/// An abstract object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Object {
    /// The static object of this identity.
    Static(u32),
    /// All objects whose identity the edge takes from `$next`.
    Site(ProcId, EdgeId),
    /// Whatever the program did not make itself.
    External,
}

/// The objects that a pointer may point to, each with its offsets.
pub type Targets = BTreeMap<Object, Low>;

/// The result of the analysis.
pub struct PointsTo {
    variables: FxHashMap<Term, Targets>,
    contents: FxHashMap<Object, Contents>,
    /// Objects whose address becomes a number somewhere.
    exposed: BTreeMap<Object, Low>,
}

/// What pointers an object's bytes may hold, by the exact offset where they are stored, or anywhere.
#[derive(Clone, Default, PartialEq, Debug)]
struct Contents {
    at: BTreeMap<u64, Targets>,
    anywhere: Targets,
}

impl PointsTo {
    pub fn new(program: &Program) -> PointsTo {
        let mut flow = Flow::new(program);
        while flow.round() {}
        flow.result
    }

    /// The targets of a pointer term, or of a term that is an object's identity (then offsets mean nothing).
    pub fn targets(&self, term: Term) -> Targets {
        flow::Reader { result: self }.targets(term)
    }

    /// The offsets that a bit-vector term may denote.
    pub fn offsets(&self, term: Term) -> Low {
        flow::low(self, term)
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
                let joined = known.join(*low);
                changed |= joined != *known;
                *known = joined;
            }
        }
    }
    changed
}
