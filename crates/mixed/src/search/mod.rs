//! Symbolic search strategies (Section 7), one in each file.
//!
//! | strategy | paper |
//! |---|---|
//! | [`plain`] | Section 7.1: the least fixpoint `R = mu Z. I OR post(T, Z)` |
//! | [`frontier`] | the same from frontier sets `R^i \ R^(i-1)` |
//! | [`reach_frontier`] | Algorithm 1: only states at tails of back edges are kept |
//! | [`lockstep`] | Algorithm 2: back edges wait until nothing else moves |
//!
//! Beside them, [`widened`] over-approximates.
//!
//! Each calls [`Watch::sees`] once in each iteration with its set F, which notes the ring for counterexamples and proofs.

pub mod frontier;
pub mod lockstep;
pub mod plain;
pub mod reach_frontier;
pub mod widened;

use crate::model::Model;
use crate::states::States;
use engine::{Progress, Reason, Run};
use sets::Stop;

/// A search strategy.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Strategy {
    Plain,
    Frontier,
    ReachFrontier,
    #[default]
    Lockstep,
}

/// How a search ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// There are no other states.
    Closed,
    /// The last ring has error states.
    Reached,
}

impl Strategy {
    pub fn search(self, model: &Model, watch: &mut Watch) -> Result<End, Halt> {
        match self {
            Strategy::Plain => plain::reach(model, watch),
            Strategy::Frontier => frontier::reach(model, watch),
            Strategy::ReachFrontier => reach_frontier::reach_frontier(model, watch),
            Strategy::Lockstep => lockstep::reach_lockstep(model, watch),
        }
    }
}

/// Why a search did not end by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Halt(pub Reason);

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Halt {
        Halt(match stop {
            Stop::Full => Reason::Memory,
            Stop::Exceeded(exceeded) => exceeded.into(),
            Stop::Library(what) => Reason::NoProgress(format!("isl gave up: {what}")),
        })
    }
}

/// What a search tells about its iterations.
pub struct Watch<'a> {
    run: &'a mut Run,
    /// The sets F of all iterations.
    pub rings: Vec<States>,
    pub iterations: usize,
    /// The greatest numbers of linear constraints and of nodes that the sets of one iteration had.
    pub peak_constraints: usize,
    pub peak_nodes: usize,
}

impl<'a> Watch<'a> {
    pub fn new(run: &'a mut Run) -> Watch<'a> {
        Watch { run, rings: Vec::new(), iterations: 0, peak_constraints: 0, peak_nodes: 0 }
    }

    /// Whether the search may go on.
    pub fn ticks(&mut self) -> Result<(), Halt> {
        self.run.tick().map_err(Halt)
    }

    /// Notes an iteration, where `kept` is what the strategy keeps beside F; whether F has error states.
    pub fn sees(&mut self, model: &Model, f: &States, kept: &[&States]) -> Result<bool, Halt> {
        self.ticks()?;
        let sets = || kept.iter().copied().chain([f]);
        let constraints = sets().map(States::linear_constraints).sum::<Result<usize, Stop>>()?;
        self.peak_constraints = self.peak_constraints.max(constraints);
        self.peak_nodes = self.peak_nodes.max(sets().map(States::nodes).sum());
        self.rings.push(f.clone());
        self.iterations += 1;
        let figures = [("iterations", self.iterations), ("constraints", constraints)];
        self.run.progress(|| Progress {
            engine: crate::NAME,
            figures: figures.iter().map(|(name, figure)| (*name, *figure as u64)).collect(),
        });
        Ok(!f.within(&model.errors).is_empty())
    }
}
