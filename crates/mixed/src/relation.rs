//! Transition relations, one for each edge (Section 6.1):
//!
//! ```text
//! T_ij = (P = i) AND (P' = j) AND theta(b_i, b_j) AND AND_k (x_k' = e_ik)
//! ```
//!
//! Variables that are not live in the destination block have no part in it (Section 6.2). The inputs of the block are quantified.
//!
//! T_ij is partitioned further by [`crate::cases`].
//!
//! Deviation: where a block leaves a live variable as it is, `x' = x` is not written down; the post-condition keeps x in its place
//! instead of quantifying it and renaming x'. This is the same set of states, from smaller formulas.

use crate::cases::Case;
use crate::formula::{Translator, simple};
use crate::ltg::{Edge, Ltg};
use crate::space::{Copy, Numbers, Place, Space};
use rustc_hash::FxHashSet;
use sets::composite::{Composite, Renaming, Variables};
use sets::{Stop, Variable};
use term::Term;

/// T_ij, ready for post-conditions: the disjunction of its cases.
pub struct Relation {
    cases: Vec<Disjunct>,
    pub pseudo_inputs: usize,
}

/// T_ij in one case.
struct Disjunct {
    formula: Composite,
    /// What a post-condition quantifies: P, what the block assigns, what is not live behind it.
    current: Variables,
    /// P' to P, and what the block assigned likewise.
    next: Renaming,
}

/// T_ij in one case before its inputs are quantified, for counterexamples.
pub struct Detailed {
    pub formula: Composite,
    /// Where each input of the block is, if it has a representation.
    pub inputs: Vec<(Term, Place)>,
    /// What the block assigns in this case.
    pub assigned: FxHashSet<Term>,
}

impl Relation {
    pub fn new(space: &Space, ltg: &Ltg, edge: &Edge, cases: &[Case], live: &[Vec<Term>]) -> Result<Relation, Stop> {
        let mut relation = Relation { cases: Vec::new(), pseudo_inputs: 0 };
        for case in cases {
            let mut translator = Translator::new(space, &ltg.blocks[edge.from].inputs);
            let formula = conjunction(space, edge, case, &mut translator)?;
            let (own, all) = (&translator.own, &space.composites);
            let inputs = all.variables(&own.booleans, &own.integers, &own.reals)?;
            let formula = formula.exists(&inputs)?.simplify()?;
            relation.pseudo_inputs = relation.pseudo_inputs.max(translator.pseudo_inputs);
            if !formula.is_empty() {
                relation.cases.push(Disjunct::new(space, edge, formula, &case.assigned(), live)?);
            }
        }
        Ok(relation)
    }

    /// `post(T_ij, D)`: the states behind the edge, of states at its source.
    pub fn post(&self, states: &Composite) -> Result<Composite, Stop> {
        if let [only] = &self.cases[..] {
            return only.post(states)?.simplify();
        }
        let mut after: Option<Composite> = None;
        for case in &self.cases {
            let more = case.post(states)?;
            after = Some(match after {
                Some(known) => known.join(&more)?,
                None => more.simplify()?,
            });
        }
        Ok(after.unwrap_or_else(|| states.none()))
    }
}

impl Disjunct {
    fn new(
        space: &Space,
        edge: &Edge,
        formula: Composite,
        assigned: &FxHashSet<Term>,
        live: &[Vec<Term>],
    ) -> Result<Disjunct, Stop> {
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
        let all = &space.composites;
        Ok(Disjunct {
            formula,
            current: all.variables(&current.booleans, &current.integers, &current.reals)?,
            next: all.renaming(&renamed(&pairs.booleans), &renamed(&pairs.integers), &renamed(&pairs.reals))?,
        })
    }

    fn post(&self, states: &Composite) -> Result<Composite, Stop> {
        states.post(&self.formula, &self.current, &self.next)
    }
}

impl Detailed {
    pub fn new(space: &Space, ltg: &Ltg, edge: &Edge, case: &Case) -> Result<Detailed, Stop> {
        let inputs = &ltg.blocks[edge.from].inputs;
        let mut translator = Translator::new(space, inputs);
        let formula = conjunction(space, edge, case, &mut translator)?;
        let place = |input: &Term| Some((*input, translator.input(*input)?.clone()));
        let inputs = inputs.iter().filter_map(place).collect();
        Ok(Detailed { formula, inputs, assigned: case.assigned() })
    }
}

/// T_ij over inputs, in one case.
fn conjunction(space: &Space, edge: &Edge, case: &Case, translator: &mut Translator) -> Result<Composite, Stop> {
    let control = space.at(edge.from, Copy::Current)?.and(&space.at(edge.to, Copy::Next)?)?;
    let mut formula = space.composites.boolean(control)?.and(&translator.formula(case.condition, true)?)?;
    for (variable, value) in &case.assignments {
        let Some(place) = space.place(*variable) else { continue };
        if formula.is_empty() {
            return Ok(formula);
        }
        formula = simple(formula.and(&translator.next(place, *value)?)?)?;
    }
    for definition in std::mem::take(&mut translator.definitions) {
        formula = simple(formula.and(&definition)?)?;
    }
    Ok(formula)
}
