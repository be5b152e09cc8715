//! The verification model <T, I> of a labelled transition graph (Section 5.4).
//!
//! Relations are made when control first comes to their edges.

use crate::cases::{Case, cases};
use crate::graph::Shape;
use crate::live;
use crate::ltg::{Blocks, Ltg};
use crate::relation::Relation;
use crate::space::{Copy, Space};
use crate::states::States;
use limits::Limits;
use sets::Stop;
use std::cell::{Cell, OnceCell};
use term::Term;

/// A verification model.
pub struct Model {
    pub ltg: Ltg,
    pub shape: Shape,
    pub space: Space,
    /// For each block.
    pub live: Vec<Vec<Term>>,
    /// Q_Err
    pub errors: Blocks,
    /// For each edge.
    pub cases: Vec<Vec<Case>>,
    outgoing: Vec<Vec<usize>>,
    relations: Vec<OnceCell<Relation>>,
    /// How many pseudo-inputs the relations have that were made.
    pub pseudo_inputs: Cell<usize>,
}

/// Parts of the transition relation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// T
    All,
    /// T_f
    Forward,
    /// T_b
    Back,
}

impl Model {
    pub fn new(ltg: Ltg, with_live: bool, limits: &Limits) -> Model {
        let live = if with_live { live::live(&ltg) } else { live::all(&ltg) };
        let cases: Vec<Vec<Case>> = ltg.edges.iter().map(|edge| cases(&ltg, edge, &live[edge.to])).collect();
        Model {
            shape: Shape::new(&ltg),
            space: Space::new(&ltg, &cases, limits),
            live,
            cases,
            errors: ltg.errors(),
            outgoing: ltg.outgoing(),
            relations: ltg.edges.iter().map(|_| OnceCell::new()).collect(),
            pseudo_inputs: Cell::new(0),
            ltg,
        }
    }

    /// I: control at the entry, with arbitrary values.
    pub fn initial(&self) -> Result<States, Stop> {
        let entry = self.ltg.entry;
        Ok(States::of(entry, self.space.composites.boolean(self.space.at(entry, Copy::Current)?)?))
    }

    /// T_ij
    pub fn relation(&self, edge: usize) -> Result<&Relation, Stop> {
        let cell = &self.relations[edge];
        if let Some(known) = cell.get() {
            return Ok(known);
        }
        let made = Relation::new(&self.space, &self.ltg, &self.ltg.edges[edge], &self.cases[edge], &self.live)?;
        self.pseudo_inputs.set(self.pseudo_inputs.get() + made.pseudo_inputs);
        Ok(cell.get_or_init(|| made))
    }

    /// `post(T, D)` for a part of T: the union of the post-conditions for single edges (Section 7.1).
    pub fn post(&self, part: Part, states: &States) -> Result<States, Stop> {
        let is_part = |edge: &usize| match part {
            Part::All => true,
            Part::Forward => !self.shape.is_retreating[*edge],
            Part::Back => self.shape.is_retreating[*edge],
        };
        let mut after = States::default();
        for (block, at_block) in states.parts() {
            for edge in self.outgoing[block].iter().filter(|edge| is_part(edge)) {
                after.add(self.ltg.edges[*edge].to, &self.relation(*edge)?.post(at_block)?)?;
            }
        }
        Ok(after)
    }

    /// Q_bt
    pub fn tails(&self) -> &Blocks {
        &self.shape.tails
    }

    /// The mean share of variables that are live in a block.
    pub fn live_share(&self) -> f64 {
        let all = self.ltg.variables.len() * self.ltg.blocks.len();
        let live: usize = self.live.iter().map(Vec::len).sum();
        if all == 0 { 0.0 } else { live as f64 / all as f64 }
    }
}
