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
//! Invariants: the result has no term of the memory sort. A lifted trace tells what memory held at first, wherever it
//! was read before it was written.
//!
//! An object that lives on the stack is allocated again in each round of a loop, but only one of them lives at a time; so
//! one set of cells serves them all, and is made arbitrary at each allocation. Where it matters which objects live or
//! where they lie, each round has its own.

mod access;
mod bulk;
mod defined;
mod layout;
mod lift;
mod rewrite;

pub use analysis::points_to::Foreign;
pub use defined::{Assumed, defined};

use crate::Passed;
use access::Accesses;
use analysis::points_to::PointsTo;
use ir::Program;
use layout::Layout;
use rewrite::Rewriter;
use std::sync::Arc;

/// Splits the memory of a program.
pub fn split_memory(program: &Program, foreign: Foreign) -> Passed {
    let points_to = PointsTo::new(program, foreign);
    let accesses = Accesses::collect(program, &points_to, foreign);
    let layout = Layout::new(program, &accesses);
    let (program, lift) = Rewriter::new(program, &points_to, &layout, foreign).run();
    Passed { program, lift: Arc::new(lift) }
}
