//! The engine `mixed`: an exact fixpoint over Booleans, integers and reals, each in their own representation.
//!
//! After Yang, Wang, Gupta and Ivančić, "Model Checking Sequential Software Programs Via Mixed Symbolic Analysis" (2009), Sections 5
//! to 7. A program without calls and memory becomes a labelled transition graph; the program counter and what is bits live in decision
//! diagrams, integers in Presburger sets, reals in polyhedra. All reachable states are computed, edge by edge.
//!
//! | paper | here |
//! |---|---|
//! | labelled transition graph, Definition 5.1 | [`ltg`] |
//! | symbolic representation, Section 5.4 | [`space`], [`order`], [`model`] |
//! | non-linear operators, Section 5.5 | [`represent`], [`classes`], [`gates`], pseudo-inputs in [`formula`] |
//! | disjunctive transition relations, Section 6.1 | [`relation`], [`cases`] |
//! | live variables, Section 6.2 | [`live`] |
//! | search strategies, Section 7 | [`search`], [`graph`] |
//! | counterexamples | [`trace`] |
//!
//! Each module says where it deviates. Our own: [`proof`], and widening in [`hull`] and [`search::widened`].
//!
//! Invariants: sets of states have all that can be reached, and, where the model has no pseudo-inputs, nothing else. A violation counts
//! only after its replay, a proof only after its check: neither is the engine's own business.

mod cases;
mod classes;
mod formula;
mod gates;
mod graph;
mod hull;
mod live;
mod ltg;
mod model;
mod order;
mod proof;
mod relation;
mod represent;
mod search;
mod space;
mod states;
mod trace;

pub use represent::{Represent, bit_vectors};
pub use search::Strategy;

use engine::{Engine, Reason, Run, Verdict};
use ir::{LocationKind, Program};
use limits::Limits;
use ltg::Ltg;
use model::Model;
use pass::{NoIntegers, Passed, Rest, integers};
use search::{End, Halt, Watch, widened};
use std::time::Instant;
use term::SortKind;

/// The name that the command line uses.
pub const NAME: &str = "mixed";

/// What the paper compares.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub strategy: Strategy,
    /// Whether sets and relations leave out variables that are not live.
    pub live: bool,
    pub represent: Represent,
    /// Whether a search that over-approximates comes first, which can only prove.
    pub widening: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { strategy: Strategy::default(), live: true, represent: Represent::default(), widening: false }
    }
}

/// The engine.
pub struct Mixed {
    pub options: Options,
}

/// The view of a program that the engine wants: machine integers as integers, except for those that are represented as bits.
pub fn view(program: &Program, represent: Represent) -> Result<Passed, NoIntegers> {
    let bits = bit_vectors(program, represent);
    integers(program, Rest::PseudoInputs, |variable| bits.contains(&variable))
}

impl Engine for Mixed {
    fn name(&self) -> &'static str {
        NAME
    }

    fn check(&self, program: &Program, run: &mut Run) -> Verdict {
        self.decide(program, run).unwrap_or_else(|Halt(reason)| Verdict::Unknown(reason))
    }
}

impl Mixed {
    fn decide(&self, program: &Program, run: &mut Run) -> Result<Verdict, Halt> {
        let procedure = program.procedure(program.entry);
        let cfa = procedure.body.as_ref().map_err(|_| Halt(Reason::NotAttempted("the entry has no body".into())))?;
        let declared = program.globals.iter().chain(&procedure.parameters).chain(&procedure.results);
        let variables = declared.chain(&procedure.locals).map(|variable| variable.term);
        let variables = variables.filter(|variable| is_representable(variable.sort())).collect();
        let ltg = Ltg::new(cfa, variables).map_err(Halt)?;
        let limits = Limits {
            deadline: run.time_left().and_then(|left| Instant::now().checked_add(left)),
            memory: run.memory_limit(),
            cancel: run.cancel().clone(),
        };
        let model = Model::new(ltg, self.options.live, &limits);
        let mut watch = Watch::new(run);
        let end = self.search(&model, &mut watch);
        let Watch { rings, iterations, peak_constraints, peak_nodes, .. } = watch;
        let count = |figure: usize| figure as u64;
        run.statistics.count("iterations", count(iterations));
        run.statistics.count("peak linear constraints", count(peak_constraints));
        run.statistics.count("peak BDD nodes", count(peak_nodes));
        run.statistics.count("variables", count(model.ltg.variables.len()));
        run.statistics.count("bits", count(model.space.bits()));
        run.statistics.set("live variables per block", engine::Statistic::Ratio(model.live_share()));
        run.statistics.count("blocks", count(model.ltg.blocks.len()));
        run.statistics.count("depth", count(model.shape.depth));
        run.statistics.count("pseudo-inputs", count(model.pseudo_inputs.get()));
        let error = match end? {
            End::Closed => return Ok(Verdict::True(proof::proof(&model, &rings, program.entry)?)),
            End::Reached => rings.last().and_then(|last| last.within(&model.errors).parts().next().map(|(b, _)| b)),
        };
        let block = error.ok_or_else(|| Halt(Reason::Internal("the last ring has no error state".into())))?;
        match model.ltg.blocks[block].kind {
            LocationKind::Error(property) => {
                Ok(Verdict::False(trace::trace(&model, &rings, block, program.entry, property)?))
            }
            LocationKind::Unsupported(what) => {
                let place = model.ltg.blocks[block].location.and_then(|location| cfa.location(location).place);
                Err(Halt(Reason::Unsupported { what, place }))
            }
            LocationKind::Plain | LocationKind::End => Err(Halt(Reason::Internal("an error is none".into()))),
        }
    }
}

impl Mixed {
    fn search(&self, model: &Model, watch: &mut Watch) -> Result<End, Halt> {
        if self.options.widening
            && let Some(end) = widened::reach_widened(model, watch)?
        {
            return Ok(end);
        }
        self.options.strategy.search(model, watch)
    }
}

/// Whether sets of states have variables of a sort.
fn is_representable(sort: term::Sort) -> bool {
    matches!(sort.kind(), SortKind::Bool | SortKind::BitVec(_) | SortKind::Int | SortKind::Real)
}

#[cfg(test)]
mod tests;
