//! Copies: where a variable equals a simple term over another, the term takes its place.
//!
//! What is equal is what [`analysis::copies`] finds out. After this, lengths and the sizes that were computed from them are compared
//! in terms of the same variables.
//!
//! Invariants: locations and edges stay, and no location becomes reachable or unreachable.

use crate::presumed::Presumed;
use crate::{Identity, Passed};
use ir::{Cfa, Edge, Op, Program};
use std::sync::Arc;
use term::subst::Substitution;

/// Puts terms in the place of their copies. It wants one procedure without calls.
pub fn copies(program: &Program) -> Passed {
    changed(program).unwrap_or_else(|| Passed { program: program.clone(), lift: Arc::new(Identity) })
}

fn changed(program: &Program) -> Option<Passed> {
    let is_call = |edge: &Edge| matches!(edge.op, Op::Call { .. } | Op::Spawn { .. });
    let cfa = program.procedure(program.entry).body.as_ref().ok().filter(|_| !program.edges().any(is_call))?;
    let copies = analysis::copies::Copies::new(cfa)?;
    let (locations, mut edges, entry, exit) = cfa.clone().into_parts();
    for edge in &mut edges {
        let mut terms = Substitution::new(|variable| copies.at(edge.from, variable));
        match &mut edge.op {
            Op::Assign(pairs) => pairs.iter_mut().for_each(|(_, value)| *value = terms.apply(*value)),
            Op::Assume(condition) => *condition = terms.apply(*condition),
            _ => {}
        }
    }
    let body = Cfa::new(locations, edges, entry, exit);
    if body.edges().zip(cfa.edges()).all(|((_, new), (_, old))| new.op == old.op) {
        return None;
    }
    let lift = Presumed::new(program, cfa, |location| copies.formula(location));
    let mut simpler = program.clone();
    simpler.procedures[program.entry.0 as usize].body = Ok(body);
    Some(Passed { program: simpler, lift: Arc::new(lift) })
}
