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

/// How many choices are made known at most for a union of sets.
const MOST_ROUNDS: usize = 64;

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

/// Which of the old sets the elements of the new set were found in, if each is in one of them.
///
/// That takes more choices than a single set does, so the search gives up after [`MOST_ROUNDS`]: then it is not known whether there
/// is an element outside, which is as good as one.
pub fn included_in_union(
    aig: &mut Aig,
    cnf: &mut Cnf,
    new: &New,
    olds: &[&Old],
    limits: &Limits,
    rounds: &mut u64,
) -> Result<Option<Vec<usize>>, Unknown> {
    cnf.recycle();
    let goals: Vec<Wire> = olds.iter().map(|old| aig.all(old.goals.iter().copied())).collect();
    let mut unsettled = vec![new.premise];
    // Sets that had an element are asked first.
    let mut order: Vec<usize> = (0..olds.len()).collect();
    let mut used = Vec::new();
    for _ in 0..MOST_ROUNDS {
        if let Some(exceeded) = limits.exceeded() {
            return Err(exceeded.into());
        }
        new.values.iter().for_each(|value| {
            cnf.literal(aig, *value);
        });
        if !cnf.solve(aig, &unsettled, limits)? {
            return Ok(Some(used));
        }
        let values: Vec<bool> = new.values.iter().map(|value| cnf.value(*value)).collect();
        let mut found = None;
        for (position, &number) in order.iter().enumerate() {
            let element = olds[number].elements.iter().zip(&values).map(|(x, value)| x.negated_if(!value));
            let question: Vec<Wire> = element.chain([goals[number]]).collect();
            if cnf.solve(aig, &question, limits)? {
                found = Some((position, number));
                break;
            }
        }
        let Some((position, number)) = found else { return Ok(None) };
        let old = olds[number];
        let choice = old.existential.iter().map(|choice| (*choice, Wire::constant(cnf.value(*choice)))).collect();
        let settled = aig.substitute(&[goals[number]], &choice)[0];
        unsettled.push(!old.applied(aig, &[settled], new)[0]);
        *rounds += 1;
        order.remove(position);
        order.insert(0, number);
        if !used.contains(&number) {
            used.push(number);
        }
    }
    Ok(None)
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
