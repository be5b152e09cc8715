//! Houdini: of candidates for invariants, those that are inductive together (Flanagan and Leino, "Houdini, an Annotation Assistant
//! for ESC/Java").
//!
//! All candidates are assumed at every location. A block that does not preserve one of them, given those at its start, takes it
//! away from the location where it ends; until nothing is taken away any more.

use crate::seeds::Clause;
use blocks::model::Model;
use blocks::solver_reason;
use blocks::solvers::Solvers;
use engine::{Reason, Run};
use ir::LocId;
use rustc_hash::{FxHashMap, FxHashSet};
use solver::{Answer, Unknown};
use std::collections::VecDeque;
use term::Term;
use term::build::{and, not, or};
use term::free::Free;

/// The clauses that hold at each location, without those that follow from smaller ones.
pub fn houdini(
    model: &Model<'_>,
    solvers: &mut Solvers,
    clauses: &[Clause],
    run: &mut Run,
) -> Result<FxHashMap<LocId, Vec<Term>>, Reason> {
    let formulas: Vec<Term> = clauses.iter().map(|clause| or(clause.iter().copied())).collect();
    let mut free = Free::new();
    let is_inside = |location: &&LocId| **location != model.cfa.entry() && !model.outgoing(**location).is_empty();
    let mut left: FxHashMap<LocId, Vec<usize>> = FxHashMap::default();
    for location in model.locations().iter().filter(is_inside) {
        let lives = |number: &usize| model.are_live(*location, &free.of(formulas[*number]));
        left.insert(*location, (0..clauses.len()).filter(lives).collect());
    }
    let blocks = model.locations().iter().flat_map(|l| (0..model.outgoing(*l).len()).map(|number| (*l, number)));
    let mut waiting: VecDeque<(LocId, usize)> = blocks.collect();
    let mut afters: FxHashMap<(LocId, usize), FxHashMap<usize, Term>> = FxHashMap::default();
    while let Some(id @ (from, number)) = waiting.pop_front() {
        let block = &model.outgoing(from)[number];
        let (Some(op), Some(mut kept)) = (&block.op, left.get(&block.to()).cloned()) else { continue };
        let before = kept.len();
        let after = afters.entry(id).or_default();
        kept.iter().for_each(|clause| _ = after.entry(*clause).or_insert_with(|| op.after(formulas[*clause])));
        while !kept.is_empty() {
            run.tick()?;
            let source = if from == block.to() { Some(&kept) } else { left.get(&from) };
            let known = and(source.into_iter().flatten().map(|clause| formulas[*clause]));
            let violated = not(and(kept.iter().map(|clause| after[clause])));
            let answer = solvers.within(id, op, |smt, _| {
                let answer = smt.check_assuming(&[known, violated]);
                if answer == Answer::Sat {
                    let before = kept.len();
                    kept.retain(|clause| smt.value(after[clause]).and_then(|value| value.as_bool()) == Some(true));
                    if kept.len() == before {
                        kept.clear();
                    }
                }
                answer
            });
            match answer {
                Answer::Sat => {}
                Answer::Unsat => break,
                Answer::Unknown(Unknown::Incomplete(_) | Unknown::Unsupported(_)) => kept.clear(),
                Answer::Unknown(why) => return Err(solver_reason(why)),
            }
        }
        if kept.len() < before {
            left.insert(block.to(), kept);
            let again = (0..model.outgoing(block.to()).len()).map(|number| (block.to(), number));
            again
                .filter(|id| !waiting.contains(id))
                .collect::<Vec<_>>()
                .into_iter()
                .for_each(|id| waiting.push_back(id));
        }
    }
    let minimal = |numbers: Vec<usize>| {
        let mut smallest: Vec<FxHashSet<Term>> = Vec::new();
        let mut found = Vec::new();
        for number in numbers {
            let literals: FxHashSet<Term> = clauses[number].iter().copied().collect();
            if !smallest.iter().any(|smaller| smaller.is_subset(&literals)) {
                smallest.push(literals);
                found.push(formulas[number]);
            }
        }
        found
    };
    Ok(left.into_iter().map(|(location, numbers)| (location, minimal(numbers))).collect())
}
