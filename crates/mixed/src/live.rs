//! Live variables, as Definition 6.1 has them.
//!
//! A variable is live in a block if it was defined before on some path from the entry, and is read on some path from there, in an
//! assignment or in the condition of an edge, before it is defined again. What is live is recorded in the sets of states of
//! the block; transition relations leave out the rest (Section 6.2).
//!
//! Deviations. The second bullet of the definition as printed says that the variable is read in b_i; meant is b_j. A variable that
//! the entry may read is defined by the initial states: its first value is arbitrary, but it is one value, and to forget it at
//! each block would make two reads of it differ.

use crate::ltg::{Blocks, Ltg};
use rustc_hash::FxHashSet;
use term::Term;
use term::free::Free;

/// The live variables of each block, in the order of the graph's variables.
pub fn live(ltg: &Ltg) -> Vec<Vec<Term>> {
    let (reads, writes) = effects(ltg);
    let mut read_after = reads.clone();
    fixpoint(ltg, |from, to| {
        let more: Vec<Term> = read_after[to].iter().filter(|v| !writes[from].contains(v)).copied().collect();
        extend(&mut read_after[from], more)
    });
    let mut defined_before = vec![FxHashSet::default(); ltg.blocks.len()];
    defined_before[ltg.entry] = read_after[ltg.entry].clone();
    fixpoint(ltg, |from, to| {
        let more: Vec<Term> = defined_before[from].iter().chain(&writes[from]).copied().collect();
        extend(&mut defined_before[to], more)
    });
    let is_live = |block: usize, variable: &Term| {
        read_after[block].contains(variable) && defined_before[block].contains(variable)
    };
    let in_block = |block| ltg.variables.iter().copied().filter(|variable| is_live(block, variable)).collect();
    (0..ltg.blocks.len()).map(in_block).collect()
}

/// All variables everywhere, as without the analysis.
pub fn all(ltg: &Ltg) -> Vec<Vec<Term>> {
    vec![ltg.variables.clone(); ltg.blocks.len()]
}

/// What each block reads of values at its beginning, and what it defines.
fn effects(ltg: &Ltg) -> (Vec<FxHashSet<Term>>, Vec<FxHashSet<Term>>) {
    let mut free = Free::among(ltg.variables.iter().copied());
    let mut reads = vec![FxHashSet::default(); ltg.blocks.len()];
    for (block, reads) in ltg.blocks.iter().zip(&mut reads) {
        block.assignments.iter().for_each(|(_, value)| reads.extend(free.of(*value).iter().copied()));
    }
    for edge in &ltg.edges {
        reads[edge.from].extend(free.of(edge.condition).iter().copied());
    }
    let writes = ltg.blocks.iter().map(|block| block.assignments.iter().map(|(variable, _)| *variable).collect());
    (reads, writes.collect())
}

fn extend(set: &mut FxHashSet<Term>, more: Vec<Term>) -> bool {
    let before = set.len();
    set.extend(more);
    set.len() > before
}

/// Applies a step to edges until it changes nothing.
fn fixpoint(ltg: &Ltg, mut step: impl FnMut(usize, usize) -> bool) {
    let mut pending: Blocks = (0..ltg.edges.len()).collect();
    let mut around = vec![Vec::new(); ltg.blocks.len()];
    for (number, edge) in ltg.edges.iter().enumerate() {
        around[edge.from].push(number);
        around[edge.to].push(number);
    }
    while let Some(number) = pending.pop_last() {
        let edge = &ltg.edges[number];
        if step(edge.from, edge.to) {
            pending.extend(around[edge.from].iter().chain(&around[edge.to]));
        }
    }
}
