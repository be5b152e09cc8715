//! The precision Π: which predicates are tracked where (Section II.C).

use crate::options::Scope;
use crate::region::PredicateId;
use ir::LocId;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Π : L → 2^P.
pub struct Precision {
    scope: Scope,
    global: BTreeSet<PredicateId>,
    local: FxHashMap<LocId, BTreeSet<PredicateId>>,
}

impl Precision {
    pub fn new(scope: Scope) -> Precision {
        Precision { scope, global: BTreeSet::new(), local: FxHashMap::default() }
    }

    /// Tracks a predicate that was found at a location. Whether that is new there.
    pub fn add(&mut self, location: LocId, predicate: PredicateId) -> bool {
        match self.scope {
            Scope::Location => self.local.entry(location).or_default().insert(predicate),
            Scope::Global => self.global.insert(predicate),
        }
    }

    /// The predicates at a location, in ascending order.
    pub fn at(&self, location: LocId) -> Vec<PredicateId> {
        match self.scope {
            Scope::Location => self.local.get(&location).into_iter().flatten().copied().collect(),
            Scope::Global => self.global.iter().copied().collect(),
        }
    }

    /// The average and the largest number of predicates over the given locations.
    pub fn sizes(&self, locations: &[LocId]) -> (f64, usize) {
        let sizes: Vec<usize> = locations.iter().map(|l| self.at(*l).len()).collect();
        let total: usize = sizes.iter().sum();
        let average = if sizes.is_empty() { 0.0 } else { total as f64 / sizes.len() as f64 };
        (average, sizes.into_iter().max().unwrap_or(0))
    }
}
