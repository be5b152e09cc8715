//! Retreating edges: those that lead back, or nowhere, in the order of a depth-first search.
//!
//! Of a reducible control flow they are its back edges, whatever the search; of an irreducible one they depend on it, as "Mixed
//! Symbolic Representations for Model Checking Software Programs", Section 7, wants it. Without them the control flow has no cycle.

use crate::flow::{forward, places};
use ir::{Cfa, EdgeId, LocId};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// The retreating edges among those that the entry is connected to.
pub fn retreating_edges(cfa: &Cfa) -> FxHashSet<EdgeId> {
    let order = forward(cfa);
    let places = places(cfa, &order);
    let place = |location: LocId| places[location.0 as usize];
    let leaving = order.iter().flat_map(|location| cfa.outgoing(*location)).copied();
    leaving.filter(|id| place(cfa.edge(*id).to) <= place(cfa.edge(*id).from)).collect()
}

/// The locations that retreating edges lead to: one of them lies on every cycle.
pub fn heads(cfa: &Cfa) -> Vec<LocId> {
    let heads: BTreeSet<LocId> = retreating_edges(cfa).iter().map(|edge| cfa.edge(*edge).to).collect();
    heads.into_iter().collect()
}
