//! Free variables and size.

use crate::Term;
use crate::visit::{bottom_up, bound, post_order};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The free variables of `roots`, oldest first.
pub fn variables(roots: impl IntoIterator<Item = Term>) -> Vec<Term> {
    let roots: Vec<Term> = roots.into_iter().collect();
    let order = post_order(roots.iter().copied());
    if order.iter().all(|t| bound(*t).is_empty()) {
        let mut found: Vec<Term> = order.into_iter().filter(|t| t.is_var()).collect();
        found.sort_unstable();
        return found;
    }
    let mut free = Free::new();
    let mut found: Vec<Term> = roots.into_iter().flat_map(|root| free.of(root).to_vec()).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Computes free variables and remembers them, for questions about many terms that share parts.
#[derive(Default)]
pub struct Free {
    /// Only these count, if given.
    among: Option<FxHashSet<Term>>,
    memo: FxHashMap<Term, Arc<[Term]>>,
}

impl Free {
    pub fn new() -> Free {
        Free::default()
    }

    /// Looks for the given variables only.
    pub fn among(variables: impl IntoIterator<Item = Term>) -> Free {
        Free { among: Some(variables.into_iter().collect()), memo: FxHashMap::default() }
    }

    /// The free variables of a term, oldest first.
    pub fn of(&mut self, root: Term) -> Arc<[Term]> {
        let among = &self.among;
        bottom_up(root, &mut self.memo, |term, memo| {
            if term.is_var() {
                let counts = among.as_ref().is_none_or(|among| among.contains(&term));
                return if counts { Arc::new([term]) } else { Arc::new([]) };
            }
            let hidden = bound(term);
            let sets: Vec<&Arc<[Term]>> = term.args().iter().map(|a| &memo[a]).collect();
            let largest = sets.iter().max_by_key(|set| set.len());
            let Some(largest) = largest else { return Arc::new([]) };
            // Most terms have the free variables of one of their arguments; they share its list.
            let new = |set: &&Arc<[Term]>| {
                !Arc::ptr_eq(set, largest) && set.iter().any(|v| largest.binary_search(v).is_err())
            };
            if hidden.is_empty() && !sets.iter().any(new) {
                return Arc::clone(largest);
            }
            let mut union: Vec<Term> = sets.iter().flat_map(|set| set.iter().copied()).collect();
            union.sort_unstable();
            union.dedup();
            union.retain(|v| !hidden.contains(v));
            union.into()
        })
    }
}

/// The number of different nodes.
pub fn dag_size(root: Term) -> usize {
    post_order([root]).len()
}

/// The number of nodes if nothing were shared; the greatest number if that is too large to count.
pub fn tree_size(root: Term) -> u64 {
    bottom_up(root, &mut FxHashMap::default(), |term, sizes| {
        term.args().iter().fold(1u64, |sum, a| sum.saturating_add(sizes[a]))
    })
}

/// Whether `part` is `whole` or one of the nodes it is made of.
pub fn contains(whole: Term, part: Term) -> bool {
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut stack = vec![whole];
    while let Some(term) = stack.pop() {
        if term == part {
            return true;
        }
        // Arguments are older than what they are arguments of.
        if term > part && seen.insert(term) {
            stack.extend_from_slice(term.args());
        }
    }
    false
}
