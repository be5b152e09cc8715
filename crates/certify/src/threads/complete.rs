//! Whether every step was taken that had to be.

use super::execute::{Move, Set};
use super::flow::Flow;
use super::{can_move, impossible, region};
use crate::invariants::Rejected;
use engine::{Explored, Region};
use solver::Smt;
use term::Term;
use term::build::and;

pub fn check(flow: &Flow, set: &Set, explored: &Explored, moves: &[Move], smt: &mut dyn Smt) -> Result<(), Rejected> {
    if !explored.is_complete {
        explored.alone.iter().try_for_each(|threads| may_move_alone(flow, set, threads))?;
    }
    let sets: Vec<Term> = explored.alone.iter().map(|threads| can_move(moves, threads)).collect();
    for (thread, edge, guard) in moves {
        let steps = explored.steps.iter().filter(|step| (step.thread, step.edge) == (*thread, *edge));
        let taken: Vec<Region> = steps.map(|step| step.region).collect();
        // A set of threads moves wherever no set before it can.
        let own = explored.alone.iter().position(|threads| threads.contains(thread)).unwrap_or(sets.len());
        let outside = taken.iter().filter_map(|region| match region {
            Region::Outside(count) => Some(*count),
            Region::Inside(_) => None,
        });
        let mut required = Vec::new();
        let covered = outside.min();
        let covered_outside = match covered {
            Some(count) if count <= own => count,
            _ => {
                required.push(Region::Outside(own));
                own
            }
        };
        if explored.is_complete {
            let inside = (0..covered_outside).map(Region::Inside);
            required.extend(inside.filter(|region| !taken.contains(region)));
        }
        for place in required {
            if !impossible(smt, and([set.guard, *guard, region(&sets, place)?]))? {
                return Err(Rejected::NotComplete("a step that is possible was not taken".into()));
            }
        }
    }
    Ok(())
}

/// Whether what these threads are about to do commutes with all that the others may still do.
fn may_move_alone(flow: &Flow, set: &Set, threads: &[usize]) -> Result<(), Rejected> {
    let at = |thread: usize| (set.threads[thread].procedure, set.threads[thread].location);
    let others = || (0..set.threads.len()).filter(|thread| !threads.contains(thread));
    for &thread in threads {
        let Some(_) = set.threads.get(thread) else {
            return Err(Rejected::NotComplete("a thread moves that there is not".into()));
        };
        let is_free = others().all(|other| !flow.now(at(thread)).conflicts(&flow.later(at(other))));
        if flow.is_disruptive(at(thread)) || !is_free {
            return Err(Rejected::NotComplete("a thread moved alone that may not".into()));
        }
    }
    Ok(())
}
