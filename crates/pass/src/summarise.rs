//! CFA-summarisation: "Software Model Checking via Large-Block Encoding", Section III.A.
//!
//! The paper's Rules 0, 1 and 2 replace loop-free parts of a control-flow automaton by single edges. A summary edge
//! stands for a set of paths; here it is a [`Block`], which keeps the edges that these paths run through, so nothing is
//! lost: sequence and choice of operations are unions of their edges.
//!
//! | paper | here |
//! |---|---|
//! | L, l_0, l_E | locations of the [`Cfa`], its entry, its error locations |
//! | op_1 ; op_2 and op_1 ∥ op_2 | the edges between two surviving locations, in topological order |
//! | CFA-summary A' | [`Summary`] |
//!
//! How it is done: Rule 1 removes a location l_2 with one incoming edge from another location l_1; Rule 2 merges parallel
//! edges, so it suffices to count a location's *distinct* predecessors. Worklists find the next candidate, and every
//! application removes an edge.
//!
//! Deviations. Rule 1 as printed may remove an error location (which Rule 0 made a sink) or l_0; here neither is removed.
//! Dead ends, where an execution silently stops, go. A location at which control may switch threads or a procedure is
//! called can be kept by the caller ([`summarise_with`]), and so can one where a block would grow too large, which gives
//! blocks of adjustable size; keeping every location gives single-block encoding.
//!
//! Invariants: every cycle of the automaton has a surviving location, so a block is acyclic; blocks between the same two
//! locations are one block; the entry, the exit and all locations that are not plain survive.

use ir::{Cfa, EdgeId, LocId, LocationKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The summary of an automaton: its surviving locations and the blocks between them.
#[derive(Clone, Debug)]
pub struct Summary {
    /// In ascending order.
    pub locations: Vec<LocId>,
    /// Ordered by source, then target.
    pub blocks: Vec<Block>,
    first_block: FxHashMap<LocId, (usize, usize)>,
}

/// An edge of the summary: all paths between two surviving locations that meet no other.
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    pub from: LocId,
    pub to: LocId,
    /// The edges on these paths, each after those that lead to its source.
    pub edges: Vec<EdgeId>,
}

impl Summary {
    /// The blocks that leave a location.
    pub fn outgoing(&self, location: LocId) -> &[Block] {
        let (start, end) = self.first_block.get(&location).copied().unwrap_or_default();
        &self.blocks[start..end]
    }
}

/// The CFA-summary: the three rules to a fixpoint.
pub fn summarise(cfa: &Cfa) -> Summary {
    summarise_with(cfa, |_| false)
}

/// As [`summarise`], but the locations that `keep` names survive.
pub fn summarise_with(cfa: &Cfa, keep: impl Fn(LocId) -> bool) -> Summary {
    let survives = |location: LocId| {
        location == cfa.entry()
            || location == cfa.exit()
            || cfa.location(location).kind != LocationKind::Plain
            || keep(location)
    };
    let locations = apply_rules(cfa, survives);
    let kept: FxHashSet<LocId> = locations.iter().copied().collect();
    let mut blocks = Vec::new();
    let mut first_block = FxHashMap::default();
    for &location in &locations {
        let start = blocks.len();
        blocks.extend(blocks_from(cfa, location, &kept));
        first_block.insert(location, (start, blocks.len()));
    }
    Summary { locations, blocks, first_block }
}

/// Applies the rules until none applies, and returns the locations that are left.
fn apply_rules(cfa: &Cfa, survives: impl Fn(LocId) -> bool) -> Vec<LocId> {
    // Rule 2 in advance: parallel edges count once. Edges of unreachable locations do not count at all.
    let mut present = reachable(cfa);
    let mut successors: Vec<BTreeSet<LocId>> = vec![BTreeSet::new(); cfa.location_count()];
    let mut predecessors = successors.clone();
    for (_, edge) in cfa.edges().filter(|(_, edge)| present[edge.from.0 as usize]) {
        // Rule 0: what leaves an error location does not count (the laws of `Cfa` allow no such edge).
        successors[edge.from.0 as usize].insert(edge.to);
        predecessors[edge.to.0 as usize].insert(edge.from);
    }
    let mut worklist: Vec<LocId> = cfa.locations().map(|(id, _)| id).collect();
    while let Some(l2) = worklist.pop() {
        let here = l2.0 as usize;
        if !present[here] || survives(l2) {
            continue;
        }
        // Rule 1 needs a single incoming edge, from another location.
        let mut sources = predecessors[here].iter();
        let (Some(&l1), None) = (sources.next(), sources.next()) else { continue };
        if l1 == l2 {
            continue;
        }
        present[here] = false;
        successors[l1.0 as usize].remove(&l2);
        for target in std::mem::take(&mut successors[here]) {
            predecessors[target.0 as usize].remove(&l2);
            // Rule 2: an edge from l1 to the target that is there already absorbs the new one.
            successors[l1.0 as usize].insert(target);
            predecessors[target.0 as usize].insert(l1);
            worklist.push(target);
        }
    }
    cfa.locations().map(|(id, _)| id).filter(|id| present[id.0 as usize] || survives(*id)).collect()
}

fn reachable(cfa: &Cfa) -> Vec<bool> {
    let mut seen = vec![false; cfa.location_count()];
    let mut stack = vec![cfa.entry()];
    while let Some(location) = stack.pop() {
        if !std::mem::replace(&mut seen[location.0 as usize], true) {
            stack.extend(cfa.outgoing(location).iter().map(|e| cfa.edge(*e).to));
        }
    }
    seen
}

/// The blocks that leave a surviving location: the acyclic part of the automaton up to the next surviving locations,
/// cut down for each of them to what leads there.
fn blocks_from(cfa: &Cfa, from: LocId, kept: &FxHashSet<LocId>) -> Vec<Block> {
    let order = topological(cfa, from, kept);
    let targets: BTreeSet<LocId> = order.iter().map(|e| cfa.edge(*e).to).filter(|to| kept.contains(to)).collect();
    targets.into_iter().map(|to| Block { from, to, edges: leading_to(cfa, &order, to, kept) }).collect()
}

/// The edges that can be reached from `from` without passing a kept location, sources first.
fn topological(cfa: &Cfa, from: LocId, kept: &FxHashSet<LocId>) -> Vec<EdgeId> {
    // Depth-first search; a location's edges are emitted when all that follows it is done, so the reverse is the order.
    let mut finished = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack = vec![(from, 0)];
    while let Some((location, next)) = stack.last_mut() {
        match cfa.outgoing(*location).get(*next) {
            Some(&edge) => {
                *next += 1;
                let to = cfa.edge(edge).to;
                if !kept.contains(&to) && seen.insert(to) {
                    stack.push((to, 0));
                }
            }
            None => {
                finished.push(*location);
                stack.pop();
            }
        }
    }
    finished.iter().rev().flat_map(|location| cfa.outgoing(*location)).copied().collect()
}

/// Those of the edges that lie on a path to the target, in the same order.
fn leading_to(cfa: &Cfa, order: &[EdgeId], target: LocId, kept: &FxHashSet<LocId>) -> Vec<EdgeId> {
    let mut useful: FxHashSet<LocId> = FxHashSet::default();
    let mut edges: Vec<EdgeId> = order
        .iter()
        .rev()
        .copied()
        .filter(|id| {
            let edge = cfa.edge(*id);
            let leads = edge.to == target || (!kept.contains(&edge.to) && useful.contains(&edge.to));
            if leads {
                useful.insert(edge.from);
            }
            leads
        })
        .collect();
    edges.reverse();
    edges
}
