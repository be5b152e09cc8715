//! How calls and memory are modelled for engines that want one procedure without them: as F-Soft does ("Model
//! Checking Sequential Software Programs Via Mixed Symbolic Analysis", Sections 5.1 to 5.3), or by inlining and maps.
//!
//! Invariant: what a model leaves out comes to a location of its [`Bound`], so that nothing is proved by leaving it
//! out. Where it can be reached, a violation within the bound is looked for, and that there is none is not TRUE.

use engine::Reason;
use ir::{LocationKind, Program};
use pass::{Bound, Heap, Passed, SPLIT, Split, recursive};

/// What stands in the place of calls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Calls {
    /// A copy of the body for each; recursion is merged.
    #[default]
    Inline,
    /// A jump to the only body, whose end branches on the return point; recursion is bounded.
    ReturnPoints,
}

/// What stands in the place of memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Pointers {
    /// A variable where an access is always at one place, a map otherwise; pointers are objects and offsets.
    #[default]
    Maps,
    /// A variable for each element of each object, pointers to objects and offsets, and a heap of so many objects.
    Elements,
    /// The same, and pointers are numeric addresses.
    Addresses,
    /// The same, and what pointers point to has variables of its own, which assignments keep true.
    Dereferences,
}

/// How calls and memory are modelled.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Modelling {
    pub calls: Calls,
    pub pointers: Pointers,
    /// How often a procedure may be entered again while it runs; without it, the bound rises.
    pub recursion: Option<u32>,
    /// How many objects there are of each place that allocates.
    pub heap: u32,
    /// What is assumed about accesses, where objects are cut into regions.
    pub split: Split,
}

/// An object whose size is no constant has at most so many bytes.
const OBJECT_BYTES: u64 = 64;

/// The bounds on recursion that are tried, if none is given.
const RISING: [u32; 4] = [1, 4, 12, 40];

impl Default for Modelling {
    fn default() -> Modelling {
        Modelling {
            calls: Calls::default(),
            pointers: Pointers::default(),
            recursion: None,
            heap: 4,
            split: Split::default(),
        }
    }
}

impl Modelling {
    pub fn heap(self) -> Heap {
        Heap { objects: self.heap, bytes: OBJECT_BYTES }
    }

    /// The bound on recursion, where one is needed.
    pub fn recursion_bound(self) -> u32 {
        self.recursion.unwrap_or(RISING[0])
    }

    /// The models of a program to try, one after the other.
    pub fn rising(self, program: &Program) -> Vec<Modelling> {
        let rises = self.calls == Calls::ReturnPoints && self.recursion.is_none() && !recursive(program).is_empty();
        let bounds = if rises { RISING.map(Some).to_vec() } else { vec![self.recursion] };
        bounds.into_iter().map(|recursion| Modelling { recursion, ..self }).collect()
    }
}

/// The bound that executions leave, if that is why nothing is known.
pub fn left_bound(reason: &Reason) -> Option<Bound> {
    match reason {
        Reason::Unsupported { what, .. } => Bound::of(LocationKind::Unsupported(*what)),
        _ => None,
    }
}

/// The class of objects whose accesses do not stay in their regions, as far as an engine knows, if that is why nothing is known.
pub fn left_region(reason: &Reason) -> Option<u64> {
    left_bound(reason).filter(|bound| bound.name == SPLIT).map(|bound| bound.number)
}

/// The program whose executions end where they leave a bound.
pub fn within_bounds(passed: &Passed) -> Passed {
    let mut within = passed.clone();
    crate::pipeline::end_where(&mut within.program, |kind| Bound::of(kind).is_some());
    within
}

/// That there is no violation within the bounds of a program.
pub fn none_within(program: &Program) -> Reason {
    Reason::BoundReached(Bound::all(program).into_iter().map(|bound| (bound.name, bound.number)).collect())
}
