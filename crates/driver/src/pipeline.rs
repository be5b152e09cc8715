//! The passes that bring a program to the form that an engine wants.

use engine::Reason;
use ir::{Program, memory};
use pass::{Passed, inline, prune, split_memory};

/// Programs that inlining would make larger than this are left alone.
const MOST_EDGES: u64 = 400_000;

/// One procedure without calls and memory: what `predicate` wants.
pub fn flat(program: &Program) -> Result<Passed, Reason> {
    let inlined = inline(program, MOST_EDGES).map_err(|why| Reason::NotAttempted(why.to_string()))?;
    Ok(inlined
        // Whether an object is dynamic tells the split which objects live one at a time.
        .then(|program| prune(program, |variable| variable == memory::dynamic()))
        .then(split_memory)
        .then(|program| prune(program, |_| false)))
}
