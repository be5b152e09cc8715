//! The proof of a search that came to its end: at the entry and at the heads of back edges, that the state is one of those that were
//! reached there. Every cycle passes a head.
//!
//! Deviation: the set S of Algorithms 1 and 2 belongs to the tails of back edges, which cut cycles as well. A tail may begin at a location
//! that a pass made up, where nothing can be said of the program before the pass; where ways meet there is always a
//! location of that program.

use crate::model::Model;
use crate::search::Halt;
use crate::states::States;
use engine::{Invariant, Proof};
use ir::ProcId;
use term::build::{falsehood, truth};

pub fn proof(model: &Model, rings: &[States], procedure: ProcId) -> Result<Proof, Halt> {
    let heads = &model.shape.heads;
    let mut reached = States::default();
    for ring in rings {
        reached = reached.or(&ring.within(heads))?;
    }
    let mut invariants = Vec::new();
    for block in heads.iter().copied().chain([model.ltg.entry]) {
        let Some(location) = model.ltg.blocks[block].location else { continue };
        let formula = match reached.at(block) {
            _ if block == model.ltg.entry => truth(),
            Some(states) => model.space.to_term(states)?,
            None => falsehood(),
        };
        invariants.push(Invariant { procedure, location, formula });
    }
    Ok(Proof::Invariants(invariants))
}
