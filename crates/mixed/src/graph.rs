//! The shape of a graph: retreating edges, their heads and tails, and the longest path without them.
//!
//! Of a reducible graph the retreating edges of a depth-first search are its back edges; of an irreducible one they are a superset of
//! them, as Section 7.2 wants it (footnote 2). Without them the graph has no cycle.

use crate::ltg::{BlockId, Blocks, Ltg};

/// What search strategies ask of a graph.
pub struct Shape {
    /// For each edge, whether it is retreating.
    pub is_retreating: Vec<bool>,
    /// Q_bt: where retreating edges begin.
    pub tails: Blocks,
    /// Where they end.
    pub heads: Blocks,
    /// The place of each block in an order that only retreating edges go against.
    pub place: Vec<usize>,
    /// The number of edges of the longest path from the entry without retreating edges: D of Theorem 7.1.
    pub depth: usize,
}

impl Shape {
    pub fn new(ltg: &Ltg) -> Shape {
        let outgoing = ltg.outgoing();
        let finished = finished(ltg, &outgoing);
        let mut place = vec![usize::MAX; ltg.blocks.len()];
        finished.iter().rev().enumerate().for_each(|(number, block)| place[*block] = number);
        let retreats = |edge: &crate::ltg::Edge| place[edge.from] != usize::MAX && place[edge.to] <= place[edge.from];
        let is_retreating: Vec<bool> = ltg.edges.iter().map(retreats).collect();
        let back = || ltg.edges.iter().zip(&is_retreating).filter(|(_, retreats)| **retreats).map(|(edge, _)| edge);
        let tails = back().map(|edge| edge.from).collect();
        let heads = back().map(|edge| edge.to).collect();
        let mut length = vec![0; ltg.blocks.len()];
        for block in finished.iter().rev() {
            for edge in outgoing[*block].iter().filter(|edge| !is_retreating[**edge]) {
                let to = ltg.edges[*edge].to;
                length[to] = length[to].max(length[*block] + 1);
            }
        }
        Shape { is_retreating, tails, heads, place, depth: length.into_iter().max().unwrap_or(0) }
    }
}

/// The blocks that the entry is connected to, in the order in which a depth-first search finishes them.
fn finished(ltg: &Ltg, outgoing: &[Vec<usize>]) -> Vec<BlockId> {
    let mut finished = Vec::new();
    let mut seen = vec![false; ltg.blocks.len()];
    seen[ltg.entry] = true;
    let mut stack = vec![(ltg.entry, 0)];
    while let Some((block, next)) = stack.last_mut() {
        match outgoing[*block].get(*next) {
            Some(edge) => {
                *next += 1;
                let to = ltg.edges[*edge].to;
                if !std::mem::replace(&mut seen[to], true) {
                    stack.push((to, 0));
                }
            }
            None => {
                finished.push(*block);
                stack.pop();
            }
        }
    }
    finished
}
