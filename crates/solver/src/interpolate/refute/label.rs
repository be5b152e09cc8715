//! Interpolants from a refutation.
//!
//! McMillan's rules ("Interpolation and SAT-based model checking", 2003; "An interpolating theorem prover", 2005), for
//! the cut after group k, where a variable is the past's own if it occurs in no later group:
//! - a clause of a group up to k: the disjunction of its literals that are not the past's own;
//! - a clause of a later group: true;
//! - a lemma: the interpolant of its negation;
//! - a resolution step: the disjunction of both sides' interpolants if the pivot is the past's own, else the conjunction.
//!
//! All cuts use the same refutation, so the interpolants lead from one to the next.

use super::clauses::{Clauses, Source};
use super::sat::{ClauseId, Origin};
use rustc_hash::FxHashMap;
use term::{Term, build};

/// The clauses of a refutation in the order of their derivation, with the groups that each depends on.
struct Proof<'a> {
    clauses: &'a Clauses,
    order: Vec<ClauseId>,
    /// The first and last group among what the clause was derived from.
    extent: FxHashMap<ClauseId, (usize, usize)>,
}

/// The interpolants at all cuts of `groups` groups, from the derivation of the empty clause.
pub(super) fn interpolants(clauses: &Clauses, empty: ClauseId, groups: usize) -> Vec<Term> {
    let proof = Proof::new(clauses, empty);
    (0..groups - 1).map(|cut| proof.interpolant(empty, cut)).collect()
}

impl<'a> Proof<'a> {
    fn new(clauses: &'a Clauses, empty: ClauseId) -> Proof<'a> {
        let mut needed = vec![false; empty as usize + 1];
        needed[empty as usize] = true;
        let mut stack = vec![empty];
        while let Some(id) = stack.pop() {
            for antecedent in antecedents(clauses, id) {
                if !std::mem::replace(&mut needed[antecedent as usize], true) {
                    stack.push(antecedent);
                }
            }
        }
        // Antecedents have smaller numbers.
        let order: Vec<ClauseId> = (0..=empty).filter(|id| needed[*id as usize]).collect();
        let mut extent: FxHashMap<ClauseId, (usize, usize)> = FxHashMap::default();
        for id in &order {
            let own = match clauses.sat.origin(*id) {
                Origin::Given(number) => match &clauses.sources[*number] {
                    Source::Group(group) => (*group, *group),
                    Source::Lemma(lemma) => {
                        let lasts = lemma.clause().into_iter().map(|literal| clauses.last(literal.var()));
                        lasts.fold((usize::MAX, 0), |(min, max), last| (min.min(last), max.max(last)))
                    }
                },
                Origin::Derived(..) => antecedents(clauses, *id)
                    .map(|antecedent| extent[&antecedent])
                    .fold((usize::MAX, 0), |(min, max), (low, high)| (min.min(low), max.max(high))),
            };
            extent.insert(*id, own);
        }
        Proof { clauses, order, extent }
    }

    fn interpolant(&self, empty: ClauseId, cut: usize) -> Term {
        let mut partial: FxHashMap<ClauseId, Term> = FxHashMap::default();
        for id in &self.order {
            let found = self.partial(*id, cut, &partial);
            partial.insert(*id, found);
        }
        partial[&empty]
    }

    fn partial(&self, id: ClauseId, cut: usize, partial: &FxHashMap<ClauseId, Term>) -> Term {
        let clauses = self.clauses;
        let (first, last) = self.extent[&id];
        // What follows from one side alone is that side's own clause.
        if first > cut {
            return build::truth();
        }
        if last <= cut {
            let shared = clauses.sat.literals(id).iter().filter(|literal| clauses.last(literal.var()) > cut);
            return build::or(shared.map(|literal| clauses.atoms.term(*literal).expect("gates are not shared")));
        }
        match clauses.sat.origin(id) {
            Origin::Given(number) => match &clauses.sources[*number] {
                Source::Lemma(lemma) => lemma.interpolant(clauses, cut),
                Source::Group(_) => unreachable!("a group is on one side of the cut"),
            },
            Origin::Derived(first, steps) => steps.iter().fold(partial[first], |so_far, (pivot, other)| {
                if clauses.last(*pivot) <= cut {
                    build::or([so_far, partial[other]])
                } else {
                    build::and([so_far, partial[other]])
                }
            }),
        }
    }
}

fn antecedents(clauses: &Clauses, id: ClauseId) -> impl Iterator<Item = ClauseId> + '_ {
    let (first, steps) = match clauses.sat.origin(id) {
        Origin::Given(_) => (None, &[][..]),
        Origin::Derived(first, steps) => (Some(*first), &steps[..]),
    };
    first.into_iter().chain(steps.iter().map(|(_, other)| *other))
}
