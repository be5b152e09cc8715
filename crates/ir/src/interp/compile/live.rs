//! Which variables may be read before they are assigned.

use crate::{Cfa, EdgeId, LocId, Op};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Term, free};

/// Those of the candidates that may be read before they are assigned, in their order.
///
/// `at_exit` are read when the procedure ends. If `calls_read` then every call and every new thread may read all of them.
pub(super) fn at_entry(cfa: &Cfa, candidates: &[Term], at_exit: &[Term], calls_read: bool) -> Vec<Term> {
    if candidates.is_empty() {
        return Vec::new();
    }
    let wanted: FxHashSet<Term> = candidates.iter().copied().collect();
    let mut reads: FxHashMap<Term, Vec<LocId>> = FxHashMap::default();
    let mut writes: FxHashSet<(EdgeId, Term)> = FxHashSet::default();
    let mut read_all = Vec::new();
    for (id, edge) in cfa.edges() {
        for variable in free::variables(edge.op.reads()) {
            if wanted.contains(&variable) {
                reads.entry(variable).or_default().push(edge.from);
            }
        }
        writes.extend(edge.op.writes().iter().map(|v| (id, *v)));
        if calls_read && matches!(edge.op, Op::Call { .. } | Op::Spawn { .. }) {
            read_all.push(edge.from);
        }
    }
    for variable in at_exit {
        reads.entry(*variable).or_default().push(cfa.exit());
    }
    let mut seen = vec![usize::MAX; cfa.location_count()];
    let mut is_live = |(number, variable): &(usize, &Term)| {
        let mut stack = reads.get(variable).cloned().unwrap_or_default();
        stack.extend(&read_all);
        while let Some(location) = stack.pop() {
            if std::mem::replace(&mut seen[location.0 as usize], *number) == *number {
                continue;
            }
            if location == cfa.entry() {
                return true;
            }
            let passing = cfa.incoming(location).iter().filter(|edge| !writes.contains(&(**edge, **variable)));
            stack.extend(passing.map(|edge| cfa.edge(*edge).from));
        }
        false
    };
    let mut candidates: Vec<(usize, &Term)> = candidates.iter().enumerate().collect();
    candidates.retain(|candidate| is_live(candidate));
    candidates.into_iter().map(|(_, variable)| *variable).collect()
}
