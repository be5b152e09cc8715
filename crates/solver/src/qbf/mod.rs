//! Formulas with two quantifiers: for all values of some inputs there are values of others.
//!
//! The question is an *inclusion* of sets that are given by parameters: the new set holds the values `x = values(u)` of those `u`
//! that satisfy `premise`; the old set holds the `x` for which there is an `e` with `goals(x, e)`. Is each element of the new
//! set one of the old set?
//!
//! * [`expansion`] decides it by expansion guided by counterexamples, on incremental SAT solvers;
//! * [`external`] writes it in the format QDIMACS and asks another program.

pub mod eliminate;
pub mod expansion;
pub mod external;
#[cfg(test)]
mod tests;

use crate::aig::{Aig, Wire};
use rustc_hash::FxHashMap;

/// The old set: goals over the inputs `elements` (one for each component of an element) and `existential`.
#[derive(Clone, Default, Debug)]
pub struct Old {
    pub elements: Vec<Wire>,
    pub existential: Vec<Wire>,
    pub goals: Vec<Wire>,
}

/// The new set: a wire for each component, and what its inputs satisfy.
#[derive(Clone, Debug)]
pub struct New {
    pub values: Vec<Wire>,
    pub premise: Wire,
}

impl Old {
    /// The set of the values of wires where a guard holds, with inputs of its own, so that it can be compared with sets that share
    /// theirs. `elements` are inputs that stand for the components.
    pub fn of(aig: &mut Aig, elements: &[Wire], values: &[Wire], guard: Wire) -> Old {
        let support = aig.support(values.iter().copied().chain([guard]));
        let renamed: FxHashMap<Wire, Wire> = support.iter().map(|input| (*input, aig.input())).collect();
        let roots: Vec<Wire> = values.iter().copied().chain([guard]).collect();
        let mut roots = aig.substitute(&roots, &renamed);
        let guard = roots.pop().unwrap_or(Wire::TRUE);
        let mut goals: Vec<Wire> =
            roots.into_iter().zip(elements).map(|(value, element)| aig.equal(value, *element)).collect();
        goals.extend(aig.conjuncts(guard));
        let existential = support.iter().map(|input| renamed[input]).collect();
        Old { elements: elements[..values.len()].to_vec(), existential, goals }
    }

    /// The goals about the components of a new set.
    fn applied(&self, aig: &mut Aig, goals: &[Wire], new: &New) -> Vec<Wire> {
        let map: FxHashMap<Wire, Wire> = self.elements.iter().copied().zip(new.values.iter().copied()).collect();
        aig.substitute(goals, &map)
    }
}
