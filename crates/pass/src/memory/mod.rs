//! Memory into variables and maps: the program's one memory is split by alias class and by what is accessed in it.
//!
//! Points-to analysis says which objects an access may reach. Objects that one access may reach together, and that cannot
//! be told apart by a short case distinction, form a class; the bytes of a class that are always accessed as one unit are a
//! *cell*. A cell of a single object at a fixed offset becomes a variable; a cell that repeats (an array's element) becomes a
//! map from offsets; a cell of many objects becomes a map from pointers. This is DESIGN's memory model, and F-Soft's manner
//! of turning bounded memory into scalars where it can be.
//!
//! Invariants: the result has no term of the memory sort. It over-approximates the program: where cells overlap in a way
//! that is not modelled, what is loaded is arbitrary. So TRUE carries over, and FALSE counts after its replay.
//!
//! An object that lives on the stack is allocated again in each round of a loop, but only one of them lives at a time; so
//! one set of cells serves them all, and is made arbitrary at each allocation.

mod access;
mod layout;
mod rewrite;

use crate::{EdgeMap, Passed};
use access::Accesses;
use analysis::points_to::PointsTo;
use ir::Program;
use layout::Layout;
use rewrite::Rewriter;

/// Splits the memory of a program without calls.
pub fn split_memory(program: &Program) -> Passed {
    let points_to = PointsTo::new(program);
    let accesses = Accesses::collect(program, &points_to);
    let layout = Layout::new(program, &accesses);
    let (program, origins) = Rewriter::new(program, &points_to, &layout).run();
    Passed { program, lift: Box::new(EdgeMap { origins }) }
}
