//! What is left to do when a body has been written: dropping what cannot be reached, and the steps that do nothing.

use ir::{Cfa, Edge, LocId, Location, LocationKind, Op};

pub fn tidy(locations: Vec<Location>, edges: Vec<Edge>, entry: LocId, exit: LocId) -> Cfa {
    let edges = without_unreachable(edges, locations.len(), entry);
    let edges = without_steps_onward(edges, &locations, entry, exit);
    let edges = without_steps_into(edges, &locations, entry, exit);
    renumber(locations, edges, entry, exit)
}

fn index(location: LocId) -> usize {
    location.0 as usize
}

fn is_skip(op: &Op) -> bool {
    matches!(op, Op::Assign(pairs) if pairs.is_empty())
}

fn without_unreachable(mut edges: Vec<Edge>, count: usize, entry: LocId) -> Vec<Edge> {
    let mut next: Vec<Vec<LocId>> = vec![Vec::new(); count];
    for edge in &edges {
        next[index(edge.from)].push(edge.to);
    }
    let mut reached = vec![false; count];
    let mut pending = vec![entry];
    while let Some(location) = pending.pop() {
        if !std::mem::replace(&mut reached[index(location)], true) {
            pending.extend_from_slice(&next[index(location)]);
        }
    }
    edges.retain(|edge| reached[index(edge.from)]);
    edges
}

/// A location that only an empty step leaves becomes the one that the step leads to.
fn without_steps_onward(mut edges: Vec<Edge>, locations: &[Location], entry: LocId, exit: LocId) -> Vec<Edge> {
    let mut leaving = vec![0u32; locations.len()];
    let mut next: Vec<Option<LocId>> = vec![None; locations.len()];
    for edge in &edges {
        leaving[index(edge.from)] += 1;
        next[index(edge.from)] = is_skip(&edge.op).then_some(edge.to);
    }
    let mut stands: Vec<LocId> = (0..locations.len() as u32).map(LocId).collect();
    for i in 0..locations.len() {
        let from = LocId(i as u32);
        let is_empty = leaving[i] == 1 && from != entry && from != exit && locations[i].kind == LocationKind::Plain;
        if let Some(to) = next[i].filter(|_| is_empty) {
            let to = find(&mut stands, to);
            if to != from {
                stands[i] = to;
            }
        }
    }
    edges.retain_mut(|edge| {
        edge.to = find(&mut stands, edge.to);
        stands[index(edge.from)] == edge.from
    });
    edges
}

/// A location that only one edge leads to, an empty step, becomes the one where the step starts.
fn without_steps_into(mut edges: Vec<Edge>, locations: &[Location], entry: LocId, exit: LocId) -> Vec<Edge> {
    let mut coming = vec![0u32; locations.len()];
    for edge in &edges {
        coming[index(edge.to)] += 1;
    }
    let mut stands: Vec<LocId> = (0..locations.len() as u32).map(LocId).collect();
    edges.retain(|edge| {
        let is_plain = locations[index(edge.to)].kind == LocationKind::Plain && edge.to != exit && edge.to != entry;
        if !is_skip(&edge.op) || !is_plain || coming[index(edge.to)] != 1 {
            return true;
        }
        let from = find(&mut stands, edge.from);
        // A circle of empty steps has no beginning that could stand for it.
        if from == edge.to {
            return true;
        }
        stands[index(edge.to)] = from;
        false
    });
    for edge in &mut edges {
        edge.from = find(&mut stands, edge.from);
    }
    edges
}

/// The location that stands for another, with the path to it shortened.
fn find(stands: &mut [LocId], location: LocId) -> LocId {
    let mut root = location;
    while stands[index(root)] != root {
        root = stands[index(root)];
    }
    let mut at = location;
    while stands[index(at)] != root {
        at = std::mem::replace(&mut stands[index(at)], root);
    }
    root
}

/// Drops locations that no edge touches. The first edges come first in the numbering, as a reader would number them.
fn renumber(locations: Vec<Location>, mut edges: Vec<Edge>, entry: LocId, exit: LocId) -> Cfa {
    let mut numbers: Vec<Option<LocId>> = vec![None; locations.len()];
    let mut kept = Vec::new();
    let mut keep = |location: LocId, kept: &mut Vec<Location>| {
        *numbers[index(location)].get_or_insert_with(|| {
            kept.push(locations[index(location)].clone());
            LocId(kept.len() as u32 - 1)
        })
    };
    let (entry, exit) = (keep(entry, &mut kept), keep(exit, &mut kept));
    for edge in &mut edges {
        edge.from = keep(edge.from, &mut kept);
        edge.to = keep(edge.to, &mut kept);
    }
    Cfa::new(kept, edges, entry, exit)
}
