//! Drops the assumptions of the split that do not matter for what is asked.
//!
//! That an access stays in its region matters only if a cell of the class does. Without the checks of a class, what its cells
//! hold may be wrong. Where a slice for what is asked has none of these cells, whatever they hold is as good.
//!
//! Invariant: of each class whose cells are left in the slice of the result, all checks are there.

use super::layout::class_of_cell;
use crate::bound::{Bound, SPLIT};
use crate::{Identity, Passed, prune, slice};
use ir::{Cfa, LocationKind, Op, Program};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use term::build::falsehood;

/// Lets executions go on where an assumption fails that does not matter.
pub fn without_needless_assumptions(program: &Program) -> Passed {
    let all: FxHashSet<u64> =
        Bound::all(program).into_iter().filter(|bound| bound.name == SPLIT).map(|b| b.number).collect();
    let mut kept = FxHashSet::default();
    while kept.len() < all.len() {
        let without = with_checks_of(program, &kept);
        let sliced = slice(&without).then(|program| prune(program, |_| false)).program;
        let cells = sliced.globals.iter().filter_map(|variable| class_of_cell(variable.term));
        let needed: FxHashSet<u64> = cells.filter(|class| all.contains(class)).collect();
        if needed.is_subset(&kept) {
            return Passed { program: without, lift: Arc::new(Identity) };
        }
        kept.extend(needed);
    }
    Passed { program: program.clone(), lift: Arc::new(Identity) }
}

/// The program with the checks of some classes alone. Edges stay where they are.
fn with_checks_of(program: &Program, kept: &FxHashSet<u64>) -> Program {
    let is_dropped =
        |kind: LocationKind| Bound::of(kind).is_some_and(|bound| bound.name == SPLIT && !kept.contains(&bound.number));
    let mut result = program.clone();
    for procedure in &mut result.procedures {
        let Ok(cfa) = &procedure.body else { continue };
        let (mut locations, mut edges, entry, exit) = cfa.clone().into_parts();
        let kinds: Vec<LocationKind> = locations.iter().map(|location| location.kind).collect();
        for number in 0..edges.len() {
            if is_dropped(kinds[edges[number].to.0 as usize]) {
                edges[number].op = Op::Assume(falsehood());
                // The edge behind it is the one that is taken where the assumption holds.
                if let Some(next) = edges.get_mut(number + 1) {
                    next.op = Op::skip();
                }
            }
        }
        for location in locations.iter_mut().filter(|location| is_dropped(location.kind)) {
            location.kind = LocationKind::End;
        }
        procedure.body = Ok(Cfa::new(locations, edges, entry, exit));
    }
    result
}
