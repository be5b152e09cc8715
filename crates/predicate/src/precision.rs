//! The precision Π: which predicates are tracked where (Section II.C).
//!
//! Refinement is lazy: a node of the tree keeps the region that was computed with the precision of that time. So the
//! precision remembers in which order predicates were added, and a node when it was computed.

use crate::options::Scope;
use crate::region::PredicateId;
use ir::{LocId, ProcId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Π : L → 2^P.
pub struct Precision<'a> {
    scope: Scope,
    /// The function of each location; of one that is not listed, the first.
    functions: &'a [ProcId],
    /// Each with the time when it was added.
    predicates: FxHashMap<Part, BTreeMap<PredicateId, Time>>,
    now: Time,
}

/// How many predicates were added before.
pub type Time = u32;

/// A number for the locations that share their predicates: of a location or of a function, or 0 for all.
type Part = u32;

impl<'a> Precision<'a> {
    pub fn new(scope: Scope, functions: &'a [ProcId]) -> Precision<'a> {
        Precision { scope, functions, predicates: FxHashMap::default(), now: 0 }
    }

    pub fn now(&self) -> Time {
        self.now
    }

    fn part(&self, location: LocId) -> Part {
        match self.scope {
            Scope::Location => location.0,
            Scope::Function => self.functions.get(location.0 as usize).map_or(0, |function| function.0),
            Scope::Global => 0,
        }
    }

    /// Tracks a predicate that was found at a location. Whether that is news to a region that was computed there at some time.
    pub fn add(&mut self, location: LocId, predicate: PredicateId, computed: Time) -> bool {
        let added = *self.predicates.entry(self.part(location)).or_default().entry(predicate).or_insert_with(|| {
            self.now += 1;
            self.now
        });
        added > computed
    }

    /// The predicates at a location, in ascending order.
    pub fn at(&self, location: LocId) -> Vec<PredicateId> {
        self.predicates.get(&self.part(location)).into_iter().flat_map(BTreeMap::keys).copied().collect()
    }

    /// Whether one of the predicates at a location that are asked about was added after a region was computed there.
    pub fn is_outdated(&self, location: LocId, computed: Time, mut counts: impl FnMut(PredicateId) -> bool) -> bool {
        let there = self.predicates.get(&self.part(location)).into_iter().flatten();
        there.filter(|(_, added)| **added > computed).any(|(predicate, _)| counts(*predicate))
    }

    /// The average and the largest number of predicates over the given locations.
    pub fn sizes(&self, locations: &[LocId]) -> (f64, usize) {
        let sizes: Vec<usize> = locations.iter().map(|l| self.at(*l).len()).collect();
        let total: usize = sizes.iter().sum();
        let average = if sizes.is_empty() { 0.0 } else { total as f64 / sizes.len() as f64 };
        (average, sizes.into_iter().max().unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tracks a predicate at location 1; `expected` lists where among four locations of two functions it counts.
    fn check(scope: Scope, expected: [bool; 4]) {
        let functions = [0, 1, 1, 0].map(ProcId);
        let mut precision = Precision::new(scope, &functions);
        assert!(precision.add(LocId(1), 7, 0));
        assert!(precision.add(LocId(1), 7, 0), "a region from before does not know it");
        assert!(!precision.add(LocId(1), 7, precision.now()), "a region from now does");
        assert!(precision.is_outdated(LocId(1), 0, |_| true) && !precision.is_outdated(LocId(1), 0, |_| false));
        assert!(!precision.is_outdated(LocId(1), precision.now(), |_| true));
        assert_eq!([0, 1, 2, 3].map(|l| precision.at(LocId(l)) == [7]), expected);
    }

    #[test]
    fn where_a_predicate_counts() {
        check(Scope::Location, [false, true, false, false]);
        check(Scope::Function, [false, true, true, false]);
        check(Scope::Global, [true; 4]);
    }
}
