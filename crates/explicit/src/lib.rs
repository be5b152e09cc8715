//! The engine `explicit`: all states of a program, as far as their values are known.
//!
//! Programs whose variables only ever have a few values (controllers, protocols, products of features) have few states, however
//! intricate their conditions are. Each state is visited once. What the program leaves open is a symbol, and a comparison of a
//! symbol with a constant splits the numbers that it may be (as in Beyer and Löwe, "Explicit-State Software Model Checking
//! Based on CEGAR and Interpolation", with inputs as in symbolic execution). Where a condition is about symbols in another way, both sides
//! are possible.
//!
//! Invariants: the states that are kept at a location have all executions that come there, so that a search which comes to
//! its end without a violation is a proof; its invariants say that the state is one of them. A violation counts only
//! if a solver finds values for it.

mod maps;
mod numbers;
mod proof;
mod search;
mod state;
mod trace;

use engine::{Engine, Reason, Run, Verdict};
use ir::{LocationKind, Op, Program};
use pass::summarise_with;
use search::{End, Search};

/// The name that the command line uses.
pub const NAME: &str = "explicit";

pub struct Explicit;

impl Engine for Explicit {
    fn name(&self) -> &'static str {
        NAME
    }

    fn check(&self, program: &Program, run: &mut Run) -> Verdict {
        decide(program, run).unwrap_or_else(Verdict::Unknown)
    }
}

fn decide(program: &Program, run: &mut Run) -> Result<Verdict, Reason> {
    let procedure = program.entry;
    let cfa = program.procedure(procedure).body.as_ref();
    let cfa = cfa.map_err(|_| Reason::NotAttempted("the entry has no body".into()))?;
    if cfa.edges().any(|(_, edge)| matches!(edge.op, Op::Call { .. } | Op::Spawn { .. })) {
        return Err(Reason::NotAttempted(format!("{NAME} is for programs without calls and threads")));
    }
    if !program.axioms.is_empty() {
        return Err(Reason::NotAttempted(format!("{NAME} is for programs without axioms")));
    }
    let locations = summarise_with(cfa, |_| false).locations;
    let mut search = Search::new(program, cfa, &locations);
    let end = search.run(run);
    run.statistics.count("states", search.nodes.len() as u64);
    let (location, way) = match end? {
        End::Closed => return Ok(Verdict::True(proof::proof(&search, procedure, &locations))),
        End::Reached(location, way) => (cfa.location(location), way),
    };
    match location.kind {
        LocationKind::Error(property) => match trace::trace(cfa, procedure, property, &way, run)? {
            Some(trace) => Ok(Verdict::False(trace)),
            None => {
                Err(Reason::NoProgress("whether a violation is possible depends on values that were left open".into()))
            }
        },
        LocationKind::Unsupported(what) => Err(Reason::Unsupported { what, place: location.place }),
        LocationKind::Plain | LocationKind::End => Err(Reason::Internal("a way does not end with an error".into())),
    }
}

#[cfg(test)]
mod tests;
