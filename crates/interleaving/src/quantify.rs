//! Wires as decision diagrams, and choice variables quantified away with them.

use engine::Reason;
use rustc_hash::FxHashMap;
use sets::bdd::{Bdd, Bdds, Full};
use solver::Limits;
use solver::aig::{Aig, Node, Wire};
use solver::qbf::Old;

/// Diagrams that grew too large, as an engine says it.
pub fn full(_: Full) -> Reason {
    Reason::Memory
}

/// The diagrams of wires; `number` tells the variables of inputs.
pub fn diagrams(
    bdds: &mut Bdds,
    aig: &Aig,
    roots: &[Wire],
    mut number: impl FnMut(Wire) -> u32,
    limits: &Limits,
) -> Result<Vec<Bdd>, Reason> {
    let mut known: FxHashMap<u32, Bdd> = FxHashMap::default();
    let of = |known: &FxHashMap<u32, Bdd>, wire: Wire| {
        let plain = &known[&wire.node()];
        if wire.is_negated() { plain.not().map_err(full) } else { Ok(plain.clone()) }
    };
    for node in aig.cone(roots.iter().copied()) {
        if let Some(exceeded) = limits.exceeded() {
            return Err(exceeded.into());
        }
        let wire = Wire::of_node(node);
        let here = match aig.node(wire) {
            Node::Constant => bdds.constant(false),
            Node::Input => bdds.variable(number(wire)).map_err(full)?,
            Node::And(a, b) => of(&known, a)?.and(&of(&known, b)?).map_err(full)?,
        };
        known.insert(node, here);
    }
    roots.iter().map(|root| of(&known, *root)).collect()
}

/// Where some values of variables make all functions true.
pub fn exists(bdds: &mut Bdds, functions: &[Bdd], variables: impl Iterator<Item = u32>) -> Result<Bdd, Reason> {
    let mut all = bdds.constant(true);
    for function in functions {
        all = all.and(function).map_err(full)?;
    }
    let mut quantified = bdds.constant(true);
    for variable in variables {
        quantified = quantified.and(&bdds.variable(variable).map_err(full)?).map_err(full)?;
    }
    all.exists(&quantified).map_err(full)
}

/// Goals with more nodes than this are not made diagrams of.
const MOST_NODES: usize = 3000;

/// The same set without inputs under the quantifier, as far as that is easy.
pub fn without_choices(bdds: &mut Bdds, aig: &mut Aig, old: &Old, limits: &Limits) -> Option<Old> {
    let mut goals = Vec::new();
    for (group, choices) in groups(aig, old) {
        if choices.is_empty() {
            goals.extend(group);
            continue;
        }
        if aig.cone(group.iter().copied()).len() > MOST_NODES {
            return None;
        }
        // Elements come before choices in the order.
        let elements = old.elements.iter().copied().zip(0..);
        let numbers: FxHashMap<Wire, u32> =
            elements.chain(choices.iter().copied().zip(old.elements.len() as u32..)).collect();
        let functions = diagrams(bdds, aig, &group, |input| numbers[&input], limits).ok()?;
        let set = exists(bdds, &functions, choices.iter().map(|choice| numbers[choice])).ok()?;
        let wire = wire(aig, &set, &old.elements, &mut FxHashMap::default());
        goals.extend(aig.conjuncts(wire));
    }
    Some(Old { elements: old.elements.clone(), existential: Vec::new(), goals })
}

/// Goals that share inputs under the quantifier, and these inputs.
fn groups(aig: &Aig, old: &Old) -> Vec<(Vec<Wire>, Vec<Wire>)> {
    let mut groups: Vec<(Vec<Wire>, Vec<Wire>)> = Vec::new();
    for goal in &old.goals {
        let mut choices = aig.support([*goal]);
        choices.retain(|input| old.existential.contains(input));
        let mut joined = (vec![*goal], choices);
        let shares = |(_, others): &(Vec<Wire>, Vec<Wire>)| others.iter().any(|choice| joined.1.contains(choice));
        let (near, far): (Vec<_>, Vec<_>) = groups.into_iter().partition(shares);
        for (goals, choices) in near {
            joined.0.extend(goals);
            joined.1.extend(choices);
        }
        joined.1.sort_unstable();
        joined.1.dedup();
        groups = far;
        groups.push(joined);
    }
    groups
}

/// A function of elements as a wire.
#[expect(clippy::mutable_key_type, reason = "what changes inside of a diagram counts references")]
fn wire(aig: &mut Aig, function: &Bdd, elements: &[Wire], known: &mut FxHashMap<Bdd, Wire>) -> Wire {
    if let Some(wire) = known.get(function) {
        return *wire;
    }
    let made = match function.split() {
        None => Wire::constant(function.is_true()),
        Some((variable, high, low)) => {
            let (high, low) = (wire(aig, &high, elements, known), wire(aig, &low, elements, known));
            aig.ite(elements[variable as usize], high, low)
        }
    };
    known.insert(function.clone(), made);
    made
}
