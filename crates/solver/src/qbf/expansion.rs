//! Expansion guided by counterexamples.
//!
//! One question looks for an element of the new set that none of the known choices of `e` shows to be in the old set. Another
//! looks for a choice of `e` for that element: if there is none, the inclusion fails; if there is one, it is made known to the
//! first *as a function of all elements*, so that many elements are settled at once.
//!
//! Goals that share no input under the quantifier are independent of each other: each group is a question of its own.

use super::{New, Old};
use crate::aig::{Aig, Wire};
use crate::cnf::Cnf;
use crate::{Limits, Unknown};
use rustc_hash::{FxHashMap, FxHashSet};

/// Whether the new set is included in the old one. `rounds` counts the choices that had to be made known.
pub fn included(
    aig: &mut Aig,
    cnf: &mut Cnf,
    new: &New,
    old: &Old,
    limits: &Limits,
    rounds: &mut u64,
) -> Result<bool, Unknown> {
    for group in groups(aig, old) {
        if !group_holds(aig, cnf, new, old, &group, limits, rounds)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Goals that share inputs under the quantifier, directly or through others.
fn groups(aig: &Aig, old: &Old) -> Vec<Vec<Wire>> {
    let existential: FxHashSet<Wire> = old.existential.iter().copied().collect();
    let mut groups: Vec<(Vec<Wire>, FxHashSet<Wire>)> = Vec::new();
    for goal in &old.goals {
        let mut own: FxHashSet<Wire> =
            aig.support([*goal]).into_iter().filter(|input| existential.contains(input)).collect();
        let mut goals = vec![*goal];
        let mut others = Vec::new();
        for (members, inputs) in groups {
            if inputs.is_disjoint(&own) {
                others.push((members, inputs));
            } else {
                goals.extend(members);
                own.extend(inputs);
            }
        }
        others.push((goals, own));
        groups = others;
    }
    // What needs no choice is refuted soonest.
    groups.sort_by_key(|(goals, inputs)| (inputs.len(), goals.len()));
    groups.into_iter().map(|(goals, _)| goals).collect()
}

fn group_holds(
    aig: &mut Aig,
    cnf: &mut Cnf,
    new: &New,
    old: &Old,
    group: &[Wire],
    limits: &Limits,
    rounds: &mut u64,
) -> Result<bool, Unknown> {
    let existential: FxHashSet<Wire> = old.existential.iter().copied().collect();
    let support = aig.support(group.iter().copied());
    let choices: Vec<Wire> = support.iter().copied().filter(|input| existential.contains(input)).collect();
    let components: Vec<(Wire, Wire)> = {
        let used: FxHashSet<Wire> = support.iter().copied().collect();
        old.elements.iter().copied().zip(new.values.iter().copied()).filter(|(x, _)| used.contains(x)).collect()
    };
    let goal = aig.all(group.iter().copied());
    cnf.recycle();
    if choices.is_empty() {
        let goal = old.applied(aig, &[goal], new)[0];
        return Ok(goal == Wire::TRUE || !cnf.solve(aig, &[new.premise, !goal], limits)?);
    }
    let mut unsettled = vec![new.premise];
    // Any choice is as good as another to begin with.
    let mut known: FxHashMap<Wire, Wire> = choices.iter().map(|choice| (*choice, Wire::FALSE)).collect();
    loop {
        if let Some(exceeded) = limits.exceeded() {
            return Err(exceeded.into());
        }
        let settled = aig.substitute(&[goal], &known)[0];
        let settled = old.applied(aig, &[settled], new)[0];
        unsettled.push(!settled);
        *rounds += 1;
        // The wires of all components must have a value in the model.
        components.iter().for_each(|(_, value)| {
            cnf.literal(aig, *value);
        });
        if !cnf.solve(aig, &unsettled, limits)? {
            return Ok(true);
        }
        let mut element: Vec<Wire> = components.iter().map(|(x, value)| x.negated_if(!cnf.value(*value))).collect();
        element.push(goal);
        if !cnf.solve(aig, &element, limits)? {
            return Ok(false);
        }
        known = choices.iter().map(|choice| (*choice, Wire::constant(cnf.value(*choice)))).collect();
    }
}
