//! Variables that have one value as long as it matters.
//!
//! Where a variable is only ever assigned one constant, and nobody reads it before, the constant takes its place. A
//! variable that only the first block assigns has had its value from the beginning: instead of assigning it, the
//! first block demands it. So such variables are rigid, and a place may speak of them.
//!
//! Invariant: a location is reachable exactly if it was.

use crate::{Block, Guarded};
use analysis::live::Live;
use ir::{Cfa, LocId, Op, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use term::build::eq;
use term::subst::Substitution;
use term::{Sort, Term};

/// A program of one procedure without calls, with constants for the variables that are constant.
pub fn with_constants(program: &Program) -> Program {
    let mut simpler = program.clone();
    loop {
        let live = Live::new(&simpler, simpler.entry);
        let procedure = &mut simpler.procedures[simpler.entry.0 as usize];
        let Ok(cfa) = &procedure.body else { return simpler };
        let constants = constants(cfa, &live);
        if constants.is_empty() {
            return simpler;
        }
        let mut substitution = Substitution::new(|variable| constants.get(&variable).copied());
        let (locations, mut edges, entry, exit) = cfa.clone().into_parts();
        for edge in &mut edges {
            match &mut edge.op {
                Op::Assign(pairs) => {
                    pairs.retain(|(variable, _)| !constants.contains_key(variable));
                    pairs.iter_mut().for_each(|(_, value)| *value = substitution.apply(*value));
                }
                Op::Assume(condition) => *condition = substitution.apply(*condition),
                _ => {}
            }
        }
        procedure.body = Ok(Cfa::new(locations, edges, entry, exit));
    }
}

fn constants(cfa: &Cfa, live: &Live) -> FxHashMap<Term, Term> {
    let mut values: FxHashMap<Term, Option<Term>> = FxHashMap::default();
    for (_, edge) in cfa.edges() {
        match &edge.op {
            Op::Assign(pairs) => {
                for (variable, value) in pairs {
                    let constant = value.value().map(|_| *value);
                    let known = values.entry(*variable).or_insert(constant);
                    *known = known.filter(|known| Some(*known) == constant);
                }
            }
            Op::Havoc(variables) => variables.iter().for_each(|variable| _ = values.insert(*variable, None)),
            _ => {}
        }
    }
    let constant = |(variable, value): (Term, Option<Term>)| Some((variable, value?));
    values.into_iter().filter_map(constant).filter(|(variable, _)| !live.at(cfa.entry(), *variable)).collect()
}

/// Makes variables rigid that only first blocks assign. No block leads to the entry, so every execution begins with one that
/// leaves it.
pub fn fix(blocks: &mut [(Block, Guarded)], entry: LocId, live: &Live, is_map: fn(Sort) -> bool) {
    let (first, later): (Vec<&(Block, Guarded)>, Vec<_>) = blocks.iter().partition(|(block, _)| block.from == entry);
    let changed: FxHashSet<Term> = later.iter().flat_map(|(_, op)| op.update().keys().copied()).collect();
    let mut rigid: FxHashSet<Term> = first.iter().flat_map(|(_, op)| op.update().keys().copied()).collect();
    rigid.retain(|variable| {
        // Where it is dead it does not matter which value it has.
        let is_known =
            |(block, op): &&(Block, Guarded)| op.update().contains_key(variable) || !live.at(block.to, *variable);
        let is_read_before = live.at(entry, *variable);
        !is_map(variable.sort()) && !is_read_before && !changed.contains(variable) && first.iter().all(is_known)
    });
    for (_, op) in blocks.iter_mut().filter(|(block, _)| block.from == entry) {
        let demanded: Vec<(Term, Term)> =
            op.update().iter().filter(|(v, _)| rigid.contains(v)).map(|(v, value)| (*v, *value)).collect();
        op.restrict(|variable| !rigid.contains(&variable));
        demanded.into_iter().for_each(|(variable, value)| op.assume(eq(variable, value)));
    }
}
