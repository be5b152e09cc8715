//! States in other words: where a formula about the elements of a state alone is known, the state is made anew from it.
//!
//! With each step the formulas of a state grow, while its set of elements often stays simple. Elimination
//! ([`solver::qbf::eliminate`]) then finds a formula without choice variables, and that takes their place: each variable gets a
//! choice variable of its own, and the formula becomes the guard. The paper does not do this.
//!
//! Invariants: the state made anew has the same elements. What was chosen on the way to it is forgotten, so executions are
//! found by going the way again ([`crate::trace`]).

use crate::code::Code;
use crate::execute::active;
use crate::state::{Control, State};
use rustc_hash::FxHashMap;
use solver::aig::{Aig, Node, Wire};
use solver::qbf::Old;
use solver::qbf::eliminate::equation;
use term::{Term, build};

/// A state made of fewer nodes is left as it is.
const SMALL: usize = 8;

/// Whether a state is large enough.
pub fn is_worth_it(aig: &Aig, state: &State) -> bool {
    size(aig, state) > SMALL
}

fn size(aig: &Aig, state: &State) -> usize {
    aig.cone(state.values().into_iter().chain([state.guard])).len()
}

/// The state with the elements of `old`, which are its own, and the formula that says which they are. `parameters` are inputs, one
/// for each component of a state.
pub fn restate(code: &Code, aig: &mut Aig, state: &State, old: &Old, parameters: &[Wire]) -> Option<(State, Term)> {
    if !old.existential.is_empty() {
        return None;
    }
    let replacement: FxHashMap<Wire, Wire> = old.elements.iter().copied().zip(parameters.iter().copied()).collect();
    let roots: Vec<Wire> = old.goals.clone();
    let mut goals = aig.substitute(&roots, &replacement);
    let mut values = parameters[..old.elements.len()].to_vec();
    loop {
        let definitions = definitions(aig, &goals);
        if definitions.is_empty() {
            break;
        }
        goals = aig.substitute(&goals, &definitions);
        goals.retain(|goal| *goal != Wire::TRUE);
        values = aig.substitute(&values, &definitions);
    }
    let guard = aig.all(goals.iter().copied());
    let mut next = state.clone();
    next.guard = guard;
    next.values_mut().zip(&values).for_each(|(value, new)| *value = *new);
    if size(aig, &next) >= size(aig, state) {
        return None;
    }
    let formula = formula(code, aig, &next, &values, parameters);
    Some((next, formula))
}

/// Inputs whose values goals tell: those that are constant, or one that is equal to another.
fn definitions(aig: &Aig, goals: &[Wire]) -> FxHashMap<Wire, Wire> {
    let constants = goals.iter().filter(|goal| aig.is_input(goal.plain()));
    let mut found: FxHashMap<Wire, Wire> =
        constants.map(|goal| (goal.plain(), Wire::constant(!goal.is_negated()))).collect();
    if found.is_empty() {
        let equations = goals.iter().filter_map(|goal| equation(aig, *goal));
        let mut inputs = equations.filter(|(a, b)| aig.is_input(a.plain()) && aig.is_input(b.plain()));
        found.extend(inputs.next().map(|(a, b)| (a.plain(), b.negated_if(a.is_negated()))));
    }
    found
}

/// The variables of states with these program counters, in the order of [`State::values`]. Those of the n-th thread have the
/// instance n + 1.
fn variables(code: &Code, control: &Control) -> Vec<Term> {
    let own = control.threads.iter().zip(1..).flat_map(|((procedure, _), instance)| {
        code.graph(*procedure).own.iter().map(move |variable| variable.at_instance(instance))
    });
    code.shared.iter().copied().chain(own).collect()
}

/// What the state says of the variables that may still be read.
fn formula(code: &Code, aig: &Aig, state: &State, values: &[Wire], parameters: &[Wire]) -> Term {
    let variables = variables(code, &state.control);
    let mut terms: FxHashMap<u32, Term> = FxHashMap::default();
    let of = |terms: &FxHashMap<u32, Term>, wire: Wire| {
        let plain = terms[&wire.node()];
        if wire.is_negated() { build::not(plain) } else { plain }
    };
    let names: FxHashMap<Wire, Term> = parameters.iter().copied().zip(variables.iter().copied()).collect();
    for node in aig.cone(values.iter().copied().chain([state.guard])) {
        let wire = Wire::of_node(node);
        let term = match aig.node(wire) {
            Node::Constant => build::falsehood(),
            Node::Input => names[&wire],
            Node::And(a, b) => build::and([of(&terms, a), of(&terms, b)]),
        };
        terms.insert(node, term);
    }
    let is_active = active(code, &state.control);
    let defined = (0..values.len()).filter(|number| is_active[*number] && values[*number] != parameters[*number]);
    let equations = defined.map(|number| build::eq(variables[number], of(&terms, values[number])));
    let equations: Vec<Term> = equations.collect();
    build::and(equations.into_iter().chain([of(&terms, state.guard)]))
}
