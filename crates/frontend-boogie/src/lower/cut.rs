//! Loops cut at their heads, as Boogie cuts them: the assertions that a head begins with are its invariants.
//!
//! Where control comes to a head, they are asserted. Then all that the loop may change takes arbitrary values for which they hold: one
//! pass through the body stands for all, and where it comes back to the head, they are asserted again and the execution ends.

use ir::{Cfa, Edge, LocId, Location, LocationKind, Op};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use term::Term;

/// The automaton without loops; none if a loop can be entered in several places. What an operation changes is asked for, because
/// calls change more than they say.
pub fn cut_loops(cfa: Cfa, writes: &dyn Fn(&Op) -> Vec<Term>) -> Option<Cfa> {
    let mut loops = Vec::new();
    for (head, back) in back_edges(&cfa) {
        if !back.iter().all(|tail| dominates(&cfa, head, *tail)) {
            return None;
        }
        let body = body(&cfa, head, &back);
        let inside = cfa.edges().filter(|(_, edge)| body.contains(&edge.from) && body.contains(&edge.to));
        let changed: BTreeSet<Term> = inside.flat_map(|(_, edge)| writes(&edge.op)).collect();
        loops.push((head, body, changed.into_iter().collect::<Vec<Term>>(), invariants(&cfa, head)));
    }
    let (mut locations, mut edges, entry, exit) = cfa.into_parts();
    for (head, body, changed, invariants) in loops {
        // The head's own assertions hold of the arbitrary values.
        edges.retain(|edge| !invariants.iter().any(|(from, to, _)| edge.from == *from && Some(edge.to) == *to));
        let again = plain(&mut locations);
        let first = plain(&mut locations);
        for edge in edges.iter_mut().filter(|edge| edge.to == head) {
            edge.to = if body.contains(&edge.from) { again } else { first };
        }
        asserted(&invariants, again, &mut locations, &mut edges);
        let last = asserted(&invariants, first, &mut locations, &mut edges);
        edges.push(Edge { from: last, to: head, op: Op::Havoc(changed), place: None });
    }
    let edges = edges.into_iter().map(|edge| match &edge.op {
        Op::Havoc(variables) if variables.is_empty() => Edge { op: Op::skip(), ..edge },
        _ => edge,
    });
    Some(Cfa::new(locations, edges.collect(), entry, exit))
}

/// One of the operations that a head begins with: where, the error location if it is an assertion, and the edge that goes on with
/// the one that fails.
type Invariant = (LocId, Option<LocId>, Vec<Edge>);

fn plain(locations: &mut Vec<Location>) -> LocId {
    locations.push(Location { kind: LocationKind::Plain, label: None, place: None });
    LocId(locations.len() as u32 - 1)
}

/// Copies what a head begins with; where it ends.
fn asserted(invariants: &[Invariant], at: LocId, locations: &mut Vec<Location>, edges: &mut Vec<Edge>) -> LocId {
    let mut here = at;
    for (_, error, copied) in invariants {
        let next = plain(locations);
        for edge in copied {
            let to = if Some(edge.to) == *error { edge.to } else { next };
            edges.push(Edge { from: here, to, ..edge.clone() });
        }
        here = next;
    }
    here
}

/// The assumptions and assertions that a head begins with.
fn invariants(cfa: &Cfa, head: LocId) -> Vec<Invariant> {
    let mut found: Vec<Invariant> = Vec::new();
    let mut here = head;
    loop {
        let edges: Vec<Edge> = cfa.outgoing(here).iter().map(|id| cfa.edge(*id).clone()).collect();
        let is_error = |edge: &&Edge| matches!(cfa.location(edge.to).kind, LocationKind::Error(_));
        let error = edges.iter().find(is_error).map(|edge| edge.to);
        let mut others = edges.iter().filter(|edge| Some(edge.to) != error);
        let (Some(on), None) = (others.next(), others.next()) else { return found };
        let is_known = found.iter().any(|(location, ..)| *location == on.to);
        if !matches!(on.op, Op::Assume(_)) || cfa.incoming(on.to).len() > 1 || is_known || on.to == head {
            return found;
        }
        let next = on.to;
        found.push((here, error, edges));
        here = next;
    }
}

/// The targets of edges that close a cycle when the automaton is followed depth first, each with the locations that they come from.
fn back_edges(cfa: &Cfa) -> Vec<(LocId, Vec<LocId>)> {
    let (mut open, mut done) = (FxHashSet::default(), FxHashSet::default());
    let mut found: Vec<(LocId, Vec<LocId>)> = Vec::new();
    let mut stack = vec![(cfa.entry(), 0)];
    open.insert(cfa.entry());
    while let Some((location, next)) = stack.last_mut() {
        let (location, number) = (*location, *next);
        *next += 1;
        match cfa.outgoing(location).get(number).map(|id| cfa.edge(*id).to) {
            None => {
                open.remove(&location);
                done.insert(location);
                stack.pop();
            }
            Some(to) if open.contains(&to) => match found.iter_mut().find(|(head, _)| *head == to) {
                Some((_, tails)) => tails.push(location),
                None => found.push((to, vec![location])),
            },
            Some(to) if !done.contains(&to) => {
                open.insert(to);
                stack.push((to, 0));
            }
            Some(_) => {}
        }
    }
    found
}

/// Whether every way to a location leads through another one.
fn dominates(cfa: &Cfa, by: LocId, location: LocId) -> bool {
    let mut reached = FxHashSet::default();
    let mut pending = vec![cfa.entry()];
    while let Some(here) = pending.pop() {
        if here != by && reached.insert(here) {
            pending.extend(cfa.outgoing(here).iter().map(|id| cfa.edge(*id).to));
        }
    }
    !reached.contains(&location)
}

/// What lies on a way from the head to where control goes back to it.
fn body(cfa: &Cfa, head: LocId, tails: &[LocId]) -> FxHashSet<LocId> {
    let mut found: FxHashSet<LocId> = [head].into_iter().collect();
    let mut pending = tails.to_vec();
    while let Some(here) = pending.pop() {
        if found.insert(here) {
            pending.extend(cfa.incoming(here).iter().map(|id| cfa.edge(*id).from));
        }
    }
    found
}
