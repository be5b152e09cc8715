//! Sets of states, with a part for each block: a disjunctive partition, `F = OR_b (P = b) AND F_b` (Section 6.2).
//!
//! Invariant: no part is empty.

use crate::ltg::{BlockId, Blocks};
use sets::Stop;
use sets::composite::Composite;
use std::collections::BTreeMap;

/// A set of states.
#[derive(Clone, Default)]
pub struct States(BTreeMap<BlockId, Composite>);

impl States {
    pub fn of(block: BlockId, states: Composite) -> States {
        let mut set = States::default();
        if !states.is_empty() {
            set.0.insert(block, states);
        }
        set
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The states at a block, if there are some.
    pub fn at(&self, block: BlockId) -> Option<&Composite> {
        self.0.get(&block)
    }

    pub fn parts(&self) -> impl Iterator<Item = (BlockId, &Composite)> {
        self.0.iter().map(|(block, part)| (*block, part))
    }

    /// The union with states of one block.
    pub fn add(&mut self, block: BlockId, states: &Composite) -> Result<(), Stop> {
        if !states.is_empty() {
            let joint = match self.0.get(&block) {
                Some(known) => known.join(states)?,
                None => states.clone(),
            };
            self.0.insert(block, joint);
        }
        Ok(())
    }

    /// `self OR other`
    pub fn or(&self, other: &States) -> Result<States, Stop> {
        let mut union = self.clone();
        for (block, part) in other.parts() {
            union.add(block, part)?;
        }
        Ok(union)
    }

    /// The blocks where there are states.
    pub fn blocks(&self) -> Blocks {
        self.0.keys().copied().collect()
    }

    /// The states at other blocks.
    pub fn without(&self, block: BlockId) -> States {
        States(self.0.iter().filter(|(at, _)| **at != block).map(|(b, p)| (*b, p.clone())).collect())
    }

    /// `self \ other`
    pub fn minus(&self, other: &States) -> Result<States, Stop> {
        let mut difference = States::default();
        for (block, part) in self.parts() {
            let left = match other.at(block) {
                Some(known) => part.minus(known)?.simplify()?,
                None => part.clone(),
            };
            if !left.is_empty() {
                difference.0.insert(block, left);
            }
        }
        Ok(difference)
    }

    /// `self AND Q`, for the subspace of some blocks.
    pub fn within(&self, blocks: &Blocks) -> States {
        States(self.0.iter().filter(|(block, _)| blocks.contains(block)).map(|(b, p)| (*b, p.clone())).collect())
    }

    /// Whether each state is one of the other set.
    pub fn entails(&self, other: &States) -> Result<bool, Stop> {
        for (block, part) in self.parts() {
            match other.at(block) {
                Some(known) if part.entails(known)? => {}
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    /// The number of linear constraints, as Table II counts them.
    pub fn linear_constraints(&self) -> Result<usize, Stop> {
        self.0.values().map(Composite::linear_constraints).sum()
    }

    /// The number of nodes of decision diagrams.
    pub fn nodes(&self) -> usize {
        self.0.values().map(Composite::nodes).sum()
    }
}
