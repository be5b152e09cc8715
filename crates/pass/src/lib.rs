//! Passes: program to program, with the way back.
//!
//! A pass returns the new program together with a [`Lift`], which carries traces and proofs of the new program back to
//! the program before the pass. There is no other way to make a [`Passed`], so no pass can forget it. Passes compose;
//! their lifts compose backwards.
//!
//! Invariants: a pass never changes whether an error location can be reached, or it over-approximates and says so in its
//! documentation (then TRUE carries over, and FALSE counts only after its trace was replayed on the program before). No
//! pass knows an engine or a source language.

mod addresses;
mod bits;
mod bound;
mod cell_morphing;
mod cells;
mod copies;
mod elements;
mod guarded;
mod halves;
mod inline;
mod instances;
mod integers;
mod known_values;
mod lift;
mod loops;
mod map_classes;
mod memory;
mod object_sizes;
mod presumed;
mod prune;
mod return_points;
mod sequentialise;
mod slice;
mod small_domains;
mod summarise;

pub use addresses::addresses;
pub use bits::{NoBits, bits};
pub use bound::{Bound, RECURSION, SPLIT};
pub use cell_morphing::{NotMorphed, cell_morphing};
pub use cells::{cells, known_cells};
pub use copies::copies;
pub use guarded::{Guarded, Input};
pub use halves::halves;
pub use inline::{Recursion, TooLarge, inline, inline_small, inlined_edges, recursive};
pub use instances::{NoInstances, instances};
pub use integers::{NoIntegers, Rest, integers};
pub use known_values::known_values;
pub use lift::{EdgeMap, Identity, Lift, Passed, ToCheck};
pub use loops::loops_to_procedures;
pub use memory::{
    Assumed, Foreign, Heap, Split, defined, dereferences, split_into_elements, split_memory,
    without_needless_assumptions,
};
pub use object_sizes::object_sizes;
pub use prune::prune;
pub use return_points::return_points;
pub use sequentialise::{Unsequential, sequentialise, starts_threads};
pub use slice::slice;
pub use small_domains::small_domains;
pub use summarise::{Block, Summary, summarise, summarise_with};
