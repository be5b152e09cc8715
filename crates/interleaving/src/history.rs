//! ISHISTORY (Section 4): whether all explicit states of a symbolic state are among those of one that was explored.
//!
//! States are kept by their program counters. Two states with the same are compared by Equation 3, quantifying over the state bits
//! as Equation 4 means it: each element of the new set is one of the old set. What the paper calls active variables is done by
//! [`crate::execute`], which makes the others constant; groups of variables are those of [`solver::qbf::expansion`], where the
//! guard counts as sharing.
//!
//! A state may also be subsumed by several others together, which the paper does not try. It is tried after single ones: without
//! it, small differences between states multiply.
//!
//! The filters come first. Equal structures with a guard that only grew are subsumed. Where a component of the old state is
//! constant, or two are equal, and the new state's signatures show it to be otherwise, it is not subsumed.

use crate::code::Code;
use crate::compare::{Comparison, Elements};
use crate::options::Options;
use crate::restate::is_worth_it;
use crate::state::{Control, State, StateId};
use crate::statistics::Figures;
use engine::Reason;
use rustc_hash::FxHashMap;
use solver::aig::{Aig, Wire};
use solver::{Limits, Unknown};
use std::rc::Rc;
use term::Term;

/// With how many states a state is compared together: the latest.
const MOST_TOGETHER: usize = 64;

pub struct History {
    /// The explored states, by their program counters.
    entries: FxHashMap<Rc<Control>, Vec<(StateId, Elements)>>,
    comparison: Comparison,
    options: Options,
}

impl History {
    pub fn new(options: Options) -> History {
        History { entries: FxHashMap::default(), comparison: Comparison::new(options.fixpoint), options }
    }

    /// The explored states that subsume this one: a single one if there is one, otherwise several together.
    pub fn subsuming(
        &mut self,
        aig: &mut Aig,
        state: &State,
        limits: &Limits,
        figures: &mut Figures,
    ) -> Result<Option<Vec<StateId>>, Reason> {
        let Some(entries) = self.entries.get_mut(&state.control) else { return Ok(None) };
        let mut new = Elements::of(state);
        // The latest are the likeliest.
        for (id, old) in entries.iter_mut().rev() {
            if self.options.filters {
                if is_same(aig, &new, old) {
                    figures.filtered_comparisons += 1;
                    return Ok(Some(vec![*id]));
                }
                if is_refuted(aig, &new, old) {
                    figures.filtered_comparisons += 1;
                    continue;
                }
            }
            figures.comparisons += 1;
            if self.comparison.is_included(aig, &mut new, old, limits, &mut figures.rounds)? {
                return Ok(Some(vec![*id]));
            }
        }
        if entries.len() < 2 || !self.options.unions {
            return Ok(None);
        }
        figures.unions += 1;
        let start = entries.len().saturating_sub(MOST_TOGETHER);
        let (ids, mut olds): (Vec<StateId>, Vec<&mut Elements>) =
            entries[start..].iter_mut().map(|(id, old)| (*id, old)).unzip();
        let used = self.comparison.is_in_union(aig, &mut new, &mut olds, limits, &mut figures.rounds)?;
        Ok(used.map(|used| used.into_iter().map(|number| ids[number]).collect()))
    }

    /// Keeps a state that is going to be explored. If it is better to do so in other words, these are returned, with the formula
    /// that says which its elements are.
    pub fn insert(
        &mut self,
        code: &Code,
        aig: &mut Aig,
        id: StateId,
        state: &State,
        limits: &Limits,
    ) -> Option<(State, Term)> {
        let mut elements = Elements::of(state);
        let is_large = is_worth_it(aig, state);
        let restated = if is_large { self.comparison.restate(code, aig, state, &mut elements, limits) } else { None };
        self.entries.entry(state.control.clone()).or_default().push((id, elements));
        restated
    }
}

/// Why a solver did not answer, as an engine says it.
pub fn reason(unknown: Unknown) -> Reason {
    match unknown {
        Unknown::Timeout => Reason::Timeout,
        Unknown::Memory => Reason::Memory,
        Unknown::Cancelled => Reason::Cancelled,
        other => Reason::NotAttempted(other.to_string()),
    }
}

fn is_same(aig: &Aig, new: &Elements, old: &Elements) -> bool {
    new.values == old.values
        && (new.guard == old.guard || {
            let known = aig.conjuncts(new.guard);
            aig.conjuncts(old.guard).iter().all(|conjunct| known.contains(conjunct))
        })
}

/// Whether signatures show an element of the new state that the old one cannot have.
fn is_refuted(aig: &Aig, new: &Elements, old: &Elements) -> bool {
    let inside = aig.signature(new.guard);
    let mut first: FxHashMap<Wire, usize> = FxHashMap::default();
    first.insert(Wire::FALSE, usize::MAX);
    for (number, value) in old.values.iter().enumerate() {
        let representative = *first.entry(value.plain()).or_insert(number);
        let own = aig.signature(new.values[number].negated_if(value.is_negated()));
        let other = match representative {
            usize::MAX => aig.signature(Wire::FALSE),
            index => aig.signature(new.values[index].negated_if(old.values[index].is_negated())),
        };
        if inside.and(own.xor(other)).witness().is_some() {
            return true;
        }
    }
    false
}
