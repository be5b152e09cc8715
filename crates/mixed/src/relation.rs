//! Transition relations, one for each edge (Section 6.1):
//!
//! ```text
//! T_ij = (P = i) AND (P' = j) AND theta(b_i, b_j) AND AND_k (x_k' = e_ik)
//! ```
//!
//! Variables that are not live in the destination block have no part in it (Section 6.2). The inputs of the block are quantified.
//!
//! Deviation: where a block leaves a live variable as it is, `x' = x` is not written down; the post-condition keeps x in its place
//! instead of quantifying it and renaming x'. This is the same set of states, from smaller formulas.

use crate::formula::{Translator, simple};
use crate::ltg::{Edge, Ltg};
use crate::space::{Copy, Numbers, Place, Space};
use rustc_hash::FxHashSet;
use sets::composite::{Composite, Renaming, Variables};
use sets::{Stop, Variable};
use term::Term;

/// T_ij, ready for post-conditions.
pub struct Relation {
    formula: Composite,
    /// What a post-condition quantifies: P, what the block assigns, what is not live behind it.
    current: Variables,
    /// P' to P, and what the block assigned likewise.
    next: Renaming,
    pub pseudo_inputs: usize,
}

/// T_ij before its inputs are quantified, for counterexamples.
pub struct Detailed {
    pub formula: Composite,
    /// Where each input of the block is, if it has a representation.
    pub inputs: Vec<(Term, Place)>,
}

impl Relation {
    pub fn new(space: &Space, ltg: &Ltg, edge: &Edge, live: &[Vec<Term>]) -> Result<Relation, Stop> {
        let mut translator = Translator::new(space, &ltg.blocks[edge.from].inputs);
        let (formula, assigned) = conjunction(space, ltg, edge, live, &mut translator)?;
        let (own, all) = (&translator.own, &space.composites);
        let inputs = all.variables(&own.booleans, &own.integers, &own.reals)?;
        let formula = formula.exists(&inputs)?.simplify()?;
        let kept: FxHashSet<Term> = live[edge.to].iter().copied().collect();
        let mut current = Numbers { booleans: space.counter().to_vec(), ..Numbers::default() };
        let mut pairs = Numbers { booleans: space.counter().to_vec(), ..Numbers::default() };
        // Sets of states at the source speak of nothing but what is live there.
        let gone = live[edge.from].iter().filter(|variable| assigned.contains(variable) || !kept.contains(variable));
        gone.filter_map(|variable| space.place(*variable)).for_each(|place| current.add(place));
        assigned.iter().filter_map(|variable| space.place(*variable)).for_each(|place| pairs.add(place));
        let renamed = |numbers: &[Variable]| -> Vec<(Variable, Variable)> {
            numbers.iter().map(|number| (number + 1, *number)).collect()
        };
        Ok(Relation {
            formula,
            current: all.variables(&current.booleans, &current.integers, &current.reals)?,
            next: all.renaming(&renamed(&pairs.booleans), &renamed(&pairs.integers), &renamed(&pairs.reals))?,
            pseudo_inputs: translator.pseudo_inputs,
        })
    }

    /// `post(T_ij, D)`: the states behind the edge, of states at its source.
    pub fn post(&self, states: &Composite) -> Result<Composite, Stop> {
        states.post(&self.formula, &self.current, &self.next)?.simplify()
    }
}

impl Detailed {
    pub fn new(space: &Space, ltg: &Ltg, edge: &Edge, live: &[Vec<Term>]) -> Result<Detailed, Stop> {
        let inputs = &ltg.blocks[edge.from].inputs;
        let mut translator = Translator::new(space, inputs);
        let (formula, _) = conjunction(space, ltg, edge, live, &mut translator)?;
        let place = |input: &Term| Some((*input, translator.input(*input)?.clone()));
        Ok(Detailed { formula, inputs: inputs.iter().filter_map(place).collect() })
    }
}

/// T_ij over inputs, and the live variables that the block assigns.
fn conjunction(
    space: &Space,
    ltg: &Ltg,
    edge: &Edge,
    live: &[Vec<Term>],
    translator: &mut Translator,
) -> Result<(Composite, FxHashSet<Term>), Stop> {
    let control = space.at(edge.from, Copy::Current)?.and(&space.at(edge.to, Copy::Next)?)?;
    let mut formula = space.composites.boolean(control)?.and(&translator.formula(edge.condition, true)?)?;
    let mut assigned = FxHashSet::default();
    let kept: FxHashSet<Term> = live[edge.to].iter().copied().collect();
    for (variable, value) in ltg.blocks[edge.from].assignments.iter().filter(|(variable, _)| kept.contains(variable)) {
        let Some(place) = space.place(*variable) else { continue };
        assigned.insert(*variable);
        if !formula.is_empty() {
            formula = simple(formula.and(&translator.next(place, *value)?)?)?;
        }
    }
    for definition in std::mem::take(&mut translator.definitions) {
        formula = simple(formula.and(&definition)?)?;
    }
    Ok((formula, assigned))
}
