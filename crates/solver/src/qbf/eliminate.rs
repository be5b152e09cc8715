//! Makes the old set's formula simpler before any solver is asked: inputs under the existential quantifier that are determined
//! by an element, or whose elimination makes nothing larger, go.

use super::Old;
use crate::aig::{Aig, Node, Wire};
use rustc_hash::{FxHashMap, FxHashSet};

/// A goal may grow by so many nodes when an input is eliminated by cases.
const GROWTH: usize = 24;
/// Elimination by cases looks at no more inputs than this.
const MOST_INPUTS: usize = 256;

/// The same set, with fewer inputs under the quantifier.
pub fn eliminate(aig: &mut Aig, mut old: Old) -> Old {
    define(aig, &mut old);
    if old.existential.len() <= MOST_INPUTS {
        by_cases(aig, &mut old);
    }
    let used: FxHashSet<Wire> = aig.support(old.goals.iter().copied()).into_iter().collect();
    old.existential.retain(|input| used.contains(input));
    old.goals.retain(|goal| *goal != Wire::TRUE);
    old
}

/// A goal `element = input` defines the input: the element takes its place everywhere.
fn define(aig: &mut Aig, old: &mut Old) {
    let elements: FxHashSet<Wire> = old.elements.iter().copied().collect();
    let existential: FxHashSet<Wire> = old.existential.iter().copied().collect();
    let mut definitions: FxHashMap<Wire, Wire> = FxHashMap::default();
    for goal in &old.goals {
        let Some((a, b)) = equation(aig, *goal) else { continue };
        for (element, input) in [(a, b), (b, a)] {
            if elements.contains(&element.plain()) && existential.contains(&input.plain()) {
                let value = element.negated_if(input.is_negated());
                definitions.entry(input.plain()).or_insert(value);
                break;
            }
        }
    }
    old.goals = aig.substitute(&old.goals, &definitions);
    old.existential.retain(|input| !definitions.contains_key(input));
}

/// The two sides of a wire that says that two wires are equal, as [`Aig::equal`] makes it.
pub fn equation(aig: &Aig, goal: Wire) -> Option<(Wire, Wire)> {
    let Node::And(left, right) = aig.node(goal) else { return None };
    if !(!goal.is_negated() && left.is_negated() && right.is_negated()) {
        return None;
    }
    let (Node::And(a, b), Node::And(c, d)) = (aig.node(left), aig.node(right)) else { return None };
    ((a == !c && b == !d) || (a == !d && b == !c)).then_some((a, !b))
}

/// An input that few goals mention is eliminated by its two cases, as long as that makes nothing much larger.
fn by_cases(aig: &mut Aig, old: &mut Old) {
    let mut goals: Vec<(Wire, FxHashSet<Wire>)> = Vec::new();
    let with_support = |aig: &Aig, goal: Wire| (goal, aig.support([goal]).into_iter().collect::<FxHashSet<Wire>>());
    for goal in old.goals.drain(..) {
        goals.push(with_support(aig, goal));
    }
    let mut kept = Vec::new();
    for input in std::mem::take(&mut old.existential) {
        let (about, others): (Vec<_>, Vec<_>) = goals.into_iter().partition(|(_, support)| support.contains(&input));
        goals = others;
        let before = aig.cone(about.iter().map(|(goal, _)| *goal)).len();
        let whole = aig.all(about.iter().map(|(goal, _)| *goal));
        let case = |aig: &mut Aig, value| aig.substitute(&[whole], &[(input, value)].into_iter().collect())[0];
        let (yes, no) = (case(aig, Wire::TRUE), case(aig, Wire::FALSE));
        let either = aig.or(yes, no);
        if aig.cone([either]).len() <= before + GROWTH {
            let parts = aig.conjuncts(either);
            goals.extend(parts.into_iter().map(|part| with_support(aig, part)));
        } else {
            goals.extend(about);
            kept.push(input);
        }
    }
    old.existential = kept;
    old.goals = goals.into_iter().map(|(goal, _)| goal).collect();
}
