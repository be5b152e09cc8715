//! Sets of states that are told by a formula.

use super::execute::{Executor, Set};
use super::impossible;
use crate::invariants::Rejected;
use rustc_hash::FxHashMap;
use solver::Smt;
use term::Term;
use term::build::{and, not};
use term::subst::substitute;

/// The set of all states at the same place in which the formula holds, if it holds in all states of this set.
pub fn check(executor: &mut Executor, set: &Set, formula: Term, smt: &mut dyn Smt) -> Result<Set, Rejected> {
    let values = values(set);
    if !term::free::variables([formula]).iter().all(|variable| values.contains_key(variable)) {
        return Err(Rejected::NotComplete("a formula is not about the variables of its states".into()));
    }
    let holds = substitute(formula, |variable| values.get(&variable).copied());
    if !impossible(smt, and([set.guard, not(holds)]))? {
        return Err(Rejected::NotComplete("a formula does not hold in states where it is said to".into()));
    }
    let mut all = set.clone();
    let own = all.threads.iter_mut().flat_map(|thread| thread.own.values_mut());
    all.shared.values_mut().chain(own).for_each(|value| *value = executor.parameter());
    let values = self::values(&all);
    all.guard = substitute(formula, |variable| values.get(&variable).copied());
    Ok(all)
}

/// The values of variables; own variables of the n-th thread have the instance n + 1.
fn values(set: &Set) -> FxHashMap<Term, Term> {
    let shared = set.shared.iter().map(|(variable, value)| (*variable, *value));
    let own = set.threads.iter().zip(1..).flat_map(|(thread, instance)| {
        thread.own.iter().map(move |(variable, value)| (variable.at_instance(instance), *value))
    });
    shared.chain(own).collect()
}
