//! The engine `linear`: reachability of linear programs with arrays by tabulation of linear constraints.
//!
//! After Armando, Benerecetti and Mantovani, "Model Checking Linear Programs with Arrays" (2005). A program over
//! mathematical integers is abstracted by leaving out its arrays; path edges of the abstract program are computed as
//! disjunctions of linear constraints; a trace to an error location that the program with arrays cannot follow tells
//! which elements of arrays to track.
//!
//! | paper | here |
//! |---|---|
//! | generalised linear programs, Section 3 | [`program`] |
//! | P0, P1, ...: elements of arrays as variables, Section 2 | [`abstraction`] |
//! | e -> (B, ne), alpha, beta, Section 4 | [`expression`] |
//! | abstract disjunctive linear constraints | [`adlc`], [`disjunct`] |
//! | Delta -> Delta^1 | [`rules`], [`tabulate`] |
//! | feasibility of traces and refinement, Section 2 | [`refine`] |
//!
//! Each module says where it deviates. Our own: [`accelerate`], [`proof`].
//!
//! Invariants: a closed table has all path edges of the program; a violation was found to be one of the program with
//! arrays. A violation counts only after its replay, a proof only after its check: neither is the engine's own
//! business.

mod abstraction;
mod accelerate;
mod adlc;
mod disjunct;
mod expression;
mod follow;
mod machine;
mod print;
mod program;
mod proof;
mod refine;
mod rules;
mod slips;
mod tabulate;
mod trace;

use abstraction::{Elements, linear_program};
use adlc::Arithmetic;
use engine::{Engine, Reason, Run, Statistic, Verdict};
use ir::{LocationKind, Program};
use limits::Limits;
use pass::{NoIntegers, Passed, Rest, integers};
pub use print::print;
use refine::{Checked, Refinement, track};
use sets::presburger::Presburgers;
use std::time::Instant;
pub use tabulate::Helpers;
use tabulate::{End, Halt, Table};
use trace::Taken;

/// The name that the command line uses.
pub const NAME: &str = "linear";

/// Rounds of cycles that make traces longer than this are not followed one by one.
const MOST_STEPS: usize = 4_000;
/// The same where no element was found without following them.
const MOST_STEPS_AT_LAST: usize = 1_000_000;

/// What the engine does beside the paper's procedure.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub helpers: Helpers,
}

impl Default for Options {
    fn default() -> Options {
        Options { helpers: Helpers { acceleration: true } }
    }
}

/// The engine.
pub struct Linear {
    pub options: Options,
}

/// The view of a program that the engine wants: machine integers as integers, and arrays of them.
pub fn view(program: &Program) -> Result<Passed, NoIntegers> {
    integers(program, Rest::Kept, |_| false)
}

impl Engine for Linear {
    fn name(&self) -> &'static str {
        NAME
    }

    fn check(&self, program: &Program, run: &mut Run) -> Verdict {
        let mut elements = Elements::new();
        let mut figures = Figures::default();
        let verdict = self.refine(program, &mut elements, &mut figures, run);
        run.statistics.count("refinements", figures.refinements);
        run.statistics.count("elements", elements.values().map(|tracked| tracked.len() as u64).sum());
        for (array, tracked) in &elements {
            let listed: Vec<String> = tracked.iter().map(ToString::to_string).collect();
            let name = array.name().map_or(String::new(), |name| name.as_str().to_string());
            figures.tracked.push(format!("{name}: {}", listed.join(" ")));
        }
        if !figures.tracked.is_empty() {
            run.statistics.set("tracked", Statistic::Text(figures.tracked.join("; ")));
        }
        run.statistics.count("path edges", figures.disjuncts);
        run.statistics.count("nodes", figures.nodes);
        verdict.unwrap_or_else(|Halt(reason)| Verdict::Unknown(reason))
    }
}

/// What is measured.
#[derive(Default)]
struct Figures {
    refinements: u64,
    /// Disjuncts of the last table, and nodes of all.
    disjuncts: u64,
    nodes: u64,
    tracked: Vec<String>,
}

impl Linear {
    /// Section 2: abstract, search, check the trace, refine.
    fn refine(
        &self,
        program: &Program,
        elements: &mut Elements,
        figures: &mut Figures,
        run: &mut Run,
    ) -> Result<Verdict, Halt> {
        let limits = Limits {
            deadline: run.time_left().and_then(|left| Instant::now().checked_add(left)),
            memory: run.memory_limit(),
            cancel: run.cancel().clone(),
        };
        let sets = Presburgers::new(&limits);
        let mut refinement = Refinement::new(program);
        loop {
            let linear = linear_program(program, elements);
            let mut table = Table::new(program, &linear, Arithmetic::new(sets.clone()), self.options.helpers);
            let end = table.close(run);
            figures.nodes += table.nodes.len() as u64;
            figures.disjuncts = table.disjuncts() as u64;
            let node = match end? {
                End::Closed => return Ok(Verdict::True(proof::proof(&table, elements)?)),
                End::Reached(node) => node,
            };
            let reached = &table.nodes[node];
            let (cfa, _) = table.body(reached.procedure)?;
            let location = cfa.location(reached.location);
            let moves = trace::moves(&table, node);
            let mut taken = trace::unrolled(&mut table, &moves, MOST_STEPS)?;
            let property = match location.kind {
                LocationKind::Error(property) => property,
                _ => ir::PropertyId(0),
            };
            let mut checked = refinement.check(&taken, property, elements, run)?;
            if let Checked::Spurious(found) = &checked
                && found.is_empty()
                && taken.iter().any(Taken::is_many)
            {
                taken = trace::unrolled(&mut table, &moves, MOST_STEPS_AT_LAST)?;
                checked = refinement.check(&taken, property, elements, run)?;
            }
            match (checked, location.kind) {
                (Checked::Feasible(trace), LocationKind::Error(_)) => return Ok(Verdict::False(*trace)),
                (Checked::Feasible(_), LocationKind::Unsupported(what)) => {
                    return Err(Halt(Reason::Unsupported { what, place: location.place }));
                }
                (Checked::Feasible(_), _) => return Err(Halt(Reason::Internal("an error is none".into()))),
                (Checked::Spurious(found), _) => {
                    figures.refinements += 1;
                    if !track(elements, found) {
                        return Err(Halt(no_progress(&table)));
                    }
                }
            }
        }
    }
}

/// No element of an array rules a spurious trace out.
fn no_progress(table: &Table<'_>) -> Reason {
    let why = match table.approximated {
        0 => "no element of an array rules out a spurious trace",
        _ => "a spurious trace goes through operations that are not linear, and no element of an array rules it out",
    };
    Reason::NoProgress(why.to_string())
}

#[cfg(test)]
mod tests;
