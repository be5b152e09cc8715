//! Memory into variables and maps: the program's one memory is split by alias class and by what is accessed in it.
//!
//! Points-to analysis says which objects an access may reach. Objects that one access may reach together, and that cannot
//! be told apart by a short case distinction, form a class; the bytes of a class that are always accessed as one unit are a
//! *cell*. A cell of a single object at a fixed offset becomes a variable; a cell that repeats (an array's element) becomes a
//! map from offsets; a cell of many objects becomes a map from pointers. This is DESIGN's memory model, and F-Soft's manner
//! of turning bounded memory into scalars where it can be.
//!
//! Two programs are made so, which differ in what they make of memory that the program did not make ([`Foreign`]):
//! - [`split_memory`] with [`Foreign::Any`] over-approximates: where cells overlap in a way that is not modelled, and in
//!   external objects, what is loaded is arbitrary. So TRUE carries over, and FALSE counts after its replay.
//! - [`split_memory`] with [`Foreign::Distinct`] gives external objects cells like others, and pointers from different places
//!   different ones. It is there to find executions that can be replayed, most of all after [`defined`], which keeps
//!   them from accesses outside of objects. Its TRUE says nothing.
//!
//! Where no stride tells the bytes of a class apart, its objects are cut into [`regions`], under assumptions that are checks of
//! the program ([`Split`]), or exactly, by case distinctions ([`reach`]).
//!
//! Invariants: the result has no term of the memory sort. A lifted trace tells what memory held at first, wherever it
//! was read before it was written.
//!
//! An object that lives on the stack is allocated again in each round of a loop, but only one of them lives at a time; so
//! one set of cells serves them all, and is made arbitrary at each allocation. Where it matters which objects live or
//! where they lie, each round has its own.

mod access;
mod assumptions;
mod bulk;
mod defined;
mod dereferences;
mod heap;
mod index;
mod layout;
mod lift;
mod reach;
mod regions;
mod rewrite;

pub use analysis::points_to::Foreign;
pub use assumptions::without_needless_assumptions;
pub use defined::{Assumed, defined};
pub use dereferences::dereferences;
pub use heap::Heap;

use crate::Passed;
use access::{Accesses, Slots};
use analysis::points_to::PointsTo;
use ir::Program;
use layout::{Arrays, Layout};
use rewrite::Rewriter;
use std::sync::Arc;

/// How accesses to classes that are cut into regions are modelled.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Split {
    /// The classes whose accesses are case distinctions, as bits by the remainders of their numbers; of other classes it is assumed
    /// that accesses stay in the region where they start, and each assumption is a check.
    exact: u64,
}

impl Split {
    /// Nothing is assumed.
    pub const EXACT: Split = Split { exact: u64::MAX };

    /// Nothing is assumed of this class any more.
    pub fn without(self, class: u64) -> Split {
        Split { exact: self.exact | 1 << (class % 64) }
    }

    fn assumes(self, class: usize) -> bool {
        self.exact & 1 << (class % 64) == 0
    }
}

/// Splits the memory of a program.
pub fn split_memory(program: &Program, foreign: Foreign, how: Split) -> Passed {
    split(program, foreign, Arrays::Maps, &Slots::default(), how)
}

/// Splits the memory of a program into variables alone, where objects are known and small ("Model Checking Sequential Software Programs Via
/// Mixed Symbolic Analysis", Sections 5.2 and 5.3): an element of an array is a variable; what is read through a pointer is a conditional over
/// all elements that the pointer may point to, and a write is a conditional assignment to each. The heap has so many objects;
/// executions that need more come to a location of the [`crate::Bound`]. What is not known, as memory that the program did not make, is kept in maps.
pub fn split_into_elements(program: &Program, foreign: Foreign, heap: Heap) -> Passed {
    let (finite, slots) = heap::finite(program, foreign, heap);
    finite.then(|program| split(program, foreign, Arrays::Elements, &slots, Split::EXACT))
}

fn split(program: &Program, foreign: Foreign, arrays: Arrays, slots: &Slots, how: Split) -> Passed {
    let points_to = PointsTo::new(program, foreign);
    let accesses = Accesses::collect(program, &points_to, foreign, slots);
    let layout = Layout::new(program, &accesses, arrays);
    let (program, lift) = Rewriter::new(program, &points_to, &layout, foreign, how).run();
    Passed { program, lift: Arc::new(lift) }
}
