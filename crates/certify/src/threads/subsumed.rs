//! Whether the states of one set are among those of others, as far as what may still be read goes.

use super::execute::{Executor, Set};
use super::flow::Flow;
use super::impossible;
use crate::invariants::Rejected;
use rustc_hash::FxHashMap;
use solver::Smt;
use term::build::{and, eq, forall, not};
use term::subst::Substitution;
use term::{Op as TermOp, Term};

pub fn check(
    flow: &Flow,
    executor: &mut Executor,
    new: &Set,
    olds: &[&Set],
    smt: &mut dyn Smt,
) -> Result<(), Rejected> {
    let mut outside = vec![new.guard];
    for old in olds {
        outside.push(is_outside(flow, executor, new, old)?);
    }
    match impossible(smt, and(outside))? {
        true => Ok(()),
        false => Err(Rejected::NotComplete("states are not among those that are said to have them".into())),
    }
}

/// The formula that a state of the new set is none of the old one.
fn is_outside(flow: &Flow, executor: &mut Executor, new: &Set, old: &Set) -> Result<Term, Rejected> {
    let places = |set: &Set| set.threads.iter().map(|thread| (thread.procedure, thread.location)).collect::<Vec<_>>();
    let at = places(new);
    if at != places(old) || new.atomic != old.atomic {
        return Err(Rejected::NotComplete("states are said to be among others at another place".into()));
    }
    let mut pairs: Vec<(Term, Term)> = Vec::new();
    for (variable, value) in &new.shared {
        // If each thread writes it before it reads it, nobody reads the value that it has now.
        if at.iter().any(|place| flow.wants(*place, *variable)) {
            pairs.push((*value, old.shared[variable]));
        }
    }
    for (place, (new, old)) in at.iter().zip(new.threads.iter().zip(&old.threads)) {
        let read = new.own.iter().filter(|(variable, _)| flow.wants(*place, **variable));
        pairs.extend(read.map(|(variable, value)| (*value, old.own[variable])));
    }
    // The parameters of the old set are others than those of the new one, even where both come from the same step.
    let mut fresh: FxHashMap<Term, Term> = FxHashMap::default();
    let roots: Vec<Term> = pairs.iter().map(|(_, old)| *old).chain([old.guard]).collect();
    for parameter in term::free::variables(roots) {
        fresh.insert(parameter, executor.parameter());
    }
    let mut rename = Substitution::new(|parameter| fresh.get(&parameter).copied());
    let pairs: Vec<(Term, Term)> = pairs.into_iter().map(|(new, old)| (new, rename.apply(old))).collect();
    let guard = rename.apply(old.guard);
    // A value that is a parameter says what the parameter is.
    let mut known: FxHashMap<Term, Term> = FxHashMap::default();
    for (new, old) in &pairs {
        match old.op() {
            TermOp::Var { .. } => {
                known.entry(*old).or_insert(*new);
            }
            TermOp::Not if old.args()[0].is_var() => {
                known.entry(old.args()[0]).or_insert(not(*new));
            }
            _ => {}
        }
    }
    let mut define = Substitution::new(|parameter| known.get(&parameter).copied());
    let mut conjuncts = vec![define.apply(guard)];
    conjuncts.extend(pairs.iter().map(|(new, old)| eq(*new, define.apply(*old))));
    let is_element = and(conjuncts);
    let open: Vec<Term> = fresh.values().copied().filter(|parameter| !known.contains_key(parameter)).collect();
    let free = term::free::variables([is_element]);
    let open: Vec<Term> = open.into_iter().filter(|parameter| free.contains(parameter)).collect();
    Ok(if open.is_empty() { not(is_element) } else { forall(open, not(is_element)) })
}
