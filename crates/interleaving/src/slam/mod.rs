//! The loop around the search for programs that are not Boolean: abstract, search, refine (SLAM's loop, with Boppo in it).
//!
//! The program has its threads as instances, with all variables shared ([`abstraction`] says why that matters). Its predicate
//! abstraction is a threaded Boolean program, which the search decides. A violation is tried on the program itself ([`path`]): it
//! is an execution, or interpolants of its steps give the predicates of the next round.

mod abstraction;
mod path;

pub use abstraction::Abstraction;

use crate::search::limits;
use crate::{Interleaving, Options};
use abstraction::Abstractor;
use engine::{Engine, Proof, Reason, Run, Verdict};
use ir::{Op, Program};
use path::Path;
use solver::{Blaster, Interpolator, Profile, Smt, Z3};
use term::Term;
use term::visit::post_order;

/// The engine for programs that are not Boolean, whose variables threads share.
pub struct Slam {
    pub options: Options,
}

impl Engine for Slam {
    fn name(&self) -> &'static str {
        crate::NAME
    }

    fn check(&self, program: &Program, run: &mut Run) -> Verdict {
        self.decide(program, run).unwrap_or_else(Verdict::Unknown)
    }
}

/// The Boolean program for given predicates.
pub fn abstraction(program: &Program, predicates: &[Term], run: &Run) -> Result<Abstraction, Reason> {
    let mut abstractor = Abstractor::new(program, solver(program, run));
    for predicate in predicates {
        abstractor.add(*predicate);
    }
    abstractor.abstraction()
}

impl Slam {
    fn decide(&self, program: &Program, run: &mut Run) -> Result<Verdict, Reason> {
        if !program.axioms.is_empty() {
            return Err(Reason::NotAttempted("programs with axioms are not abstracted".to_string()));
        }
        let mut abstractor = Abstractor::new(program, solver(program, run));
        let mut interpolator = Interpolator::new();
        let mut refinements = 0;
        loop {
            run.tick()?;
            abstractor.solver().set_limits(limits(run));
            let abstraction = abstractor.abstraction()?;
            run.tick()?;
            let verdict = Interleaving { options: self.options }.check(&abstraction.program, run);
            run.statistics.count("refinements", refinements);
            run.statistics.count("predicates", abstractor.count() as u64);
            let trace = match verdict {
                Verdict::True(Proof::Exploration(exploration)) => {
                    let Abstraction { program, predicates, choices } = abstraction;
                    let program = Box::new(program);
                    return Ok(Verdict::True(Proof::Abstracted { program, predicates, choices, exploration }));
                }
                Verdict::False(trace) => trace,
                other => return Ok(other),
            };
            let path = Path::new(program, &trace);
            if let Some(trace) = path.execution(abstractor.solver(), trace.property)? {
                return Ok(Verdict::False(trace));
            }
            refinements += 1;
            interpolator.set_limits(limits(run));
            if !refine(&mut abstractor, &path, &mut interpolator)? {
                let why = "the predicates of a violation that cannot happen are tracked already";
                return Err(Reason::NoProgress(why.to_string()));
            }
        }
    }
}

/// Tracks predicates that exclude a path. Whether one is new.
fn refine(abstractor: &mut Abstractor, path: &Path, interpolator: &mut Interpolator) -> Result<bool, Reason> {
    // All of them are tracked, not only the first that is new.
    let mut add = |found: Vec<Term>| found.into_iter().filter(|predicate| abstractor.add(*predicate)).count() > 0;
    Ok(add(path.by_integers(interpolator)) || add(path.by_bits(interpolator)?) || add(path.by_preconditions()))
}

/// A solver for the terms of a program.
fn solver(program: &Program, run: &Run) -> Box<dyn Smt> {
    let edges = program.procedures.iter().flat_map(|p| p.body.iter().flat_map(ir::Cfa::edges));
    let terms = edges.flat_map(|(_, edge)| match &edge.op {
        Op::Assign(pairs) => pairs.iter().flat_map(|(target, value)| [*target, *value]).collect(),
        Op::Assume(condition) => vec![*condition],
        Op::Havoc(variables) => variables.clone(),
        _ => Vec::new(),
    });
    let mut smt: Box<dyn Smt> = match post_order(terms).into_iter().all(Blaster::takes) {
        true => Box::new(Blaster::new()),
        false => Box::new(Z3::new(Profile::Incremental)),
    };
    smt.set_limits(limits(run));
    smt
}
