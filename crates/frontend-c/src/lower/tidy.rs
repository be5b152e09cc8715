//! What is left to do when the body of a procedure has been written: dropping what cannot be reached, and the steps that
//! do nothing.

use ir::{Cfa, Edge, LocId, Location, LocationKind, Op, Procedure};
use rustc_hash::FxHashSet;
use term::Term;
use term::free::Free;

/// The automaton without what its entry does not lead to.
pub(super) fn without_unreachable(cfa: Cfa) -> Cfa {
    let (locations, mut edges, entry, exit) = cfa.into_parts();
    let mut keep = reachable(&edges, locations.len(), entry);
    edges.retain(|edge| keep[index(edge.from)]);
    keep[index(exit)] = true;
    renumber(locations, edges, entry, exit, &keep)
}

/// The automaton without steps that do nothing, as far as labels allow.
pub(super) fn without_skips(cfa: Cfa) -> Cfa {
    let (mut locations, mut edges, entry, exit) = cfa.into_parts();
    let target = merge(&mut locations, &edges, entry, exit);
    edges.retain_mut(|edge| {
        edge.to = target[index(edge.to)];
        target[index(edge.from)] == edge.from
    });
    let dropped = shorten_entry(&mut edges, &locations, entry, exit);
    let keep: Vec<bool> =
        (0..locations.len() as u32).map(LocId).map(|id| target[index(id)] == id && Some(id) != dropped).collect();
    renumber(locations, edges, entry, exit, &keep)
}

/// All variables that an automaton mentions.
pub(super) fn variables(cfa: &Cfa) -> FxHashSet<Term> {
    let mut free = Free::new();
    let mut found = FxHashSet::default();
    for (_, edge) in cfa.edges() {
        edge.op.terms().into_iter().for_each(|term| found.extend(free.of(term).iter().copied()));
    }
    found
}

/// The procedures without assignments to those of the variables that nothing reads but to change them.
pub(super) fn without_unread(mut procedures: Vec<Procedure>, variables: &[Term]) -> Vec<Procedure> {
    let mut free = Free::among(variables.iter().copied());
    let mut read: FxHashSet<Term> = FxHashSet::default();
    for (_, edge) in procedures.iter().filter_map(|procedure| procedure.body.as_ref().ok()).flat_map(Cfa::edges) {
        match &edge.op {
            Op::Assign(pairs) => pairs.iter().for_each(|(variable, value)| {
                read.extend(free.of(*value).iter().filter(|mentioned| *mentioned != variable));
            }),
            op => op.terms().into_iter().for_each(|term| read.extend(free.of(term).iter())),
        }
    }
    let unread: Vec<Term> = variables.iter().filter(|variable| !read.contains(variable)).copied().collect();
    for procedure in &mut procedures {
        let Ok(cfa) = &procedure.body else { continue };
        let writes =
            |edge: &Edge| matches!(&edge.op, Op::Assign(pairs) if pairs.iter().any(|(v, _)| unread.contains(v)));
        if !cfa.edges().any(|(_, edge)| writes(edge)) {
            continue;
        }
        let (locations, mut edges, entry, exit) = cfa.clone().into_parts();
        for edge in &mut edges {
            if let Op::Assign(pairs) = &mut edge.op {
                pairs.retain(|(variable, _)| !unread.contains(variable));
            }
        }
        procedure.body = Ok(without_skips(Cfa::new(locations, edges, entry, exit)));
    }
    procedures
}

fn index(location: LocId) -> usize {
    location.0 as usize
}

fn reachable(edges: &[Edge], locations: usize, entry: LocId) -> Vec<bool> {
    let mut next: Vec<Vec<LocId>> = vec![Vec::new(); locations];
    for edge in edges {
        next[index(edge.from)].push(edge.to);
    }
    let mut reached = vec![false; locations];
    let mut pending = vec![entry];
    while let Some(location) = pending.pop() {
        if !std::mem::replace(&mut reached[index(location)], true) {
            pending.extend_from_slice(&next[index(location)]);
        }
    }
    reached
}

fn is_skip(op: &Op) -> bool {
    matches!(op, Op::Assign(pairs) if pairs.is_empty())
}

/// Finds locations from which nothing but an empty step leads on, and gives for each location the one that stands for it.
/// Labels move along; where both have one, both stay.
fn merge(locations: &mut [Location], edges: &[Edge], entry: LocId, exit: LocId) -> Vec<LocId> {
    let mut next: Vec<Option<LocId>> = vec![None; locations.len()];
    let mut leaving = vec![0u32; locations.len()];
    for edge in edges {
        leaving[index(edge.from)] += 1;
        next[index(edge.from)] = is_skip(&edge.op).then_some(edge.to);
    }
    let mut target: Vec<LocId> = (0..locations.len() as u32).map(LocId).collect();
    for i in 0..locations.len() {
        let from = LocId(i as u32);
        if leaving[i] != 1 || from == entry || from == exit || locations[i].kind != LocationKind::Plain {
            continue;
        }
        let Some(to) = next[i] else { continue };
        let to = find(&mut target, to);
        if to == from || (locations[i].label.is_some() && locations[index(to)].label.is_some()) {
            continue;
        }
        target[i] = to;
        let (label, place) = (locations[i].label.take(), locations[i].place);
        let merged = &mut locations[index(to)];
        merged.label = merged.label.or(label);
        merged.place = merged.place.or(place);
    }
    for i in 0..target.len() {
        find(&mut target, LocId(i as u32));
    }
    target
}

/// The location that stands for another, with the path to it shortened.
fn find(target: &mut [LocId], location: LocId) -> LocId {
    let mut root = location;
    while target[index(root)] != root {
        root = target[index(root)];
    }
    let mut at = location;
    while target[index(at)] != root {
        at = std::mem::replace(&mut target[index(at)], root);
    }
    root
}

/// Drops the empty step from the entry if nothing else leads to where it goes. Gives that location.
fn shorten_entry(edges: &mut Vec<Edge>, locations: &[Location], entry: LocId, exit: LocId) -> Option<LocId> {
    let mut leaving = edges.iter().enumerate().filter(|(_, edge)| edge.from == entry);
    let (at, first) = leaving.next()?;
    let to = first.to;
    let alone = leaving.next().is_none() && edges.iter().filter(|edge| edge.to == to).count() == 1;
    let plain = locations[index(to)].kind == LocationKind::Plain && locations[index(to)].label.is_none();
    if !is_skip(&first.op) || !alone || !plain || to == exit {
        return None;
    }
    edges.remove(at);
    for edge in edges {
        if edge.from == to {
            edge.from = entry;
        }
    }
    Some(to)
}

fn renumber(locations: Vec<Location>, mut edges: Vec<Edge>, entry: LocId, exit: LocId, keep: &[bool]) -> Cfa {
    let mut numbers = Vec::with_capacity(locations.len());
    let mut count = 0;
    for kept in keep {
        numbers.push(LocId(count));
        count += u32::from(*kept);
    }
    let locations = locations.into_iter().zip(keep).filter(|(_, keep)| **keep).map(|(location, _)| location).collect();
    for edge in &mut edges {
        edge.from = numbers[index(edge.from)];
        edge.to = numbers[index(edge.to)];
    }
    Cfa::new(locations, edges, numbers[index(entry)], numbers[index(exit)])
}
