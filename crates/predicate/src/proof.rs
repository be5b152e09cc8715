//! A complete tree as a proof: at each location, the disjunction of the regions there is an invariant.

use crate::art::Art;
use crate::region::Predicates;
use blocks::model::Model;
use engine::{Invariant, Proof};
use ir::LocId;
use rustc_hash::FxHashMap;
use sets::bdd::{Bdd, Full};
use term::build::{and, falsehood};

/// The invariants of the locations that blocks begin or end at. Where the tree has no node, control never comes.
pub fn invariants(model: &Model<'_>, predicates: &mut Predicates, art: &Art) -> Result<Proof, Full> {
    let mut regions: FxHashMap<LocId, Bdd> = FxHashMap::default();
    for node in art.nodes() {
        let region = regions.entry(node.location).or_insert_with(|| predicates.nothing());
        *region = region.or(&node.region)?;
    }
    let mut invariant = |location: &LocId| {
        let formula = regions.get(location).map_or(falsehood(), |region| predicates.formula(region));
        Invariant { procedure: model.procedure, location: *location, formula: and([formula, model.known(*location)]) }
    };
    Ok(Proof::Invariants(model.locations().iter().map(&mut invariant).collect()))
}
