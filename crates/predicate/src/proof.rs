//! A complete tree as a proof: at each location, the disjunction of the regions there is an invariant.

use crate::art::Art;
use crate::region::Predicates;
use blocks::model::Model;
use engine::{Invariant, Proof};
use ir::LocId;
use rustc_hash::FxHashMap;
use term::Term;
use term::build::{and, falsehood, or};

/// The invariants of the locations that blocks begin or end at. Where the tree has no node, control never comes.
pub fn invariants(model: &Model<'_>, predicates: &mut Predicates, art: &Art) -> Proof {
    let mut regions: FxHashMap<LocId, Vec<Term>> = FxHashMap::default();
    for node in art.uncovered() {
        regions.entry(node.location).or_default().push(predicates.formula(&node.region));
    }
    let invariant = |location: &LocId| {
        let formula = regions.get(location).map_or(falsehood(), |formulas| or(formulas.iter().copied()));
        Invariant { procedure: model.procedure, location: *location, formula: and([formula, model.known(*location)]) }
    };
    Proof::Invariants(model.locations().iter().map(invariant).collect())
}
