//! The engine `induction`: bounded model checking and k-induction on large blocks.
//!
//! Executions are unwound block by block ([`unwinding`]). After k blocks there are three questions:
//!
//! - Base: can an execution from the entry be at an error location now? Then that is a violation.
//! - End: can it be anywhere at all? If not, there is nothing more to unwind, and the program is safe.
//! - Step: can an execution of k blocks from *some* state at *some* location be at an error location now? If not, the program
//!   is safe, given that no base was violated: any longer execution to an error would end with such a one.
//!
//! The three are asked for k = 1, 2, 3, ... A step that takes long is not asked again soon, as deep bugs need no steps.
//!
//! The engine wants a program of one procedure without calls, threads and memory; passes bring others to that form.

mod unwinding;

use blocks::execution::{execution, lost};
use blocks::model::{Encoding, Model};
use blocks::path::PathFormula;
use blocks::solver_reason;
use blocks::solvers::Solvers;
use engine::{Engine, Invariant, Progress, Proof, Reason, Run, Statistic, Verdict};
use faults::Fault;
use ir::{LocId, LocationKind, Program};
use solver::{Limits, Smt, Statistics};
use std::time::{Duration, Instant};
use term::Term;
use term::build::{falsehood, truth};
use unwinding::Unwinding;

/// The name that the command line uses.
pub const NAME: &str = "induction";

/// Of all time, one of so many parts may go into steps.
const SHARE_OF_STEPS: u32 = 3;
/// Programs with more locations between blocks are not proved by steps.
const MOST_STARTS: usize = 100;

/// What the user may choose.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Options {
    /// After so many blocks it is enough; by default it never is.
    pub unwind: Option<usize>,
    /// Whether only the base and the end are asked for: bounded model checking.
    pub bmc_only: bool,
}

/// The engine with its options.
#[derive(Clone, Copy, Default, Debug)]
pub struct Induction {
    pub options: Options,
}

impl Engine for Induction {
    fn name(&self) -> &'static str {
        NAME
    }

    fn check(&self, program: &Program, run: &mut Run) -> Verdict {
        let model = match Model::new(program, Encoding::Large, run.shared()) {
            Ok(model) => model,
            Err(reason) => return Verdict::Unknown(reason),
        };
        let mut search = Search::new(&model, self.options, run);
        let verdict = search.run(self.options.unwind).unwrap_or_else(Verdict::Unknown);
        search.tell_statistics();
        verdict
    }
}

/// An unwinding with the solver that is asked about it.
struct Asked<'a> {
    unwinding: Unwinding<'a>,
    smt: Box<dyn Smt>,
}

impl<'a> Asked<'a> {
    fn new(model: &'a Model<'a>, start: LocId, solvers: &Solvers) -> Asked<'a> {
        Asked { unwinding: Unwinding::new(model, start), smt: solvers.for_paths() }
    }

    /// Whether a condition can hold.
    fn can(&mut self, condition: Term) -> Result<bool, Reason> {
        if condition == falsehood() {
            return Ok(false);
        }
        self.smt.check_assuming(&[condition]).decided().map_err(solver_reason)
    }
}

/// One run of the algorithm.
struct Search<'a> {
    model: &'a Model<'a>,
    run: &'a mut Run,
    solvers: Solvers,
    /// From the entry.
    base: Asked<'a>,
    /// From every other location that blocks begin at.
    steps: Vec<Asked<'a>>,
    start: Instant,
    stepping: Duration,
}

fn is_bad(kind: LocationKind) -> bool {
    matches!(kind, LocationKind::Error(_) | LocationKind::Unsupported(_))
}

impl<'a> Search<'a> {
    fn new(model: &'a Model<'a>, options: Options, run: &'a mut Run) -> Search<'a> {
        let limits = Limits {
            deadline: run.time_left().map(|left| Instant::now() + left),
            memory: run.memory_limit(),
            cancel: run.cancel().flag().into(),
        };
        let solvers = Solvers::new(model, limits);
        let entry = model.cfa.entry();
        let base = Asked::new(model, entry, &solvers);
        let starts = model.locations().iter().filter(|l| **l != entry && !model.outgoing(**l).is_empty());
        let starts: Vec<LocId> = starts.copied().collect();
        let steps = if options.bmc_only || starts.len() > MOST_STARTS {
            Vec::new()
        } else {
            starts.iter().map(|location| Asked::new(model, *location, &solvers)).collect()
        };
        Search { model, run, solvers, base, steps, start: Instant::now(), stepping: Duration::ZERO }
    }

    fn run(&mut self, most: Option<usize>) -> Result<Verdict, Reason> {
        while most.is_none_or(|most| self.base.unwinding.depth() < most) {
            self.tick()?;
            self.base.unwinding.unwind();
            if let Some(verdict) = self.violation()? {
                return Ok(verdict);
            }
            if self.is_at_end()? {
                return Ok(Verdict::True(self.proof(self.base.unwinding.depth(), false)));
            }
            let start = Instant::now();
            if let Some(blocks) = self.step()? {
                return Ok(Verdict::True(self.proof(blocks, true)));
            }
            self.stepping += start.elapsed();
        }
        Ok(Verdict::Unknown(Reason::BoundReached(vec![("blocks", self.base.unwinding.depth() as u64)])))
    }

    /// Base: the violation by an execution of just so many blocks.
    fn violation(&mut self) -> Result<Option<Verdict>, Reason> {
        let bad = self.base.unwinding.at(is_bad);
        if !self.base.can(bad)? {
            return Ok(None);
        }
        let Asked { unwinding, smt } = &mut self.base;
        let mut holds = |condition: Term| smt.value(condition).and_then(|value| value.as_bool()) == Some(true);
        let errors = unwinding.points().iter().filter(|(l, _)| is_bad(self.model.cfa.location(**l).kind));
        let reached: Vec<LocId> = errors.filter(|(_, point)| holds(point.reached)).map(|(l, _)| *l).collect();
        let path = reached.first().and_then(|location| unwinding.path(*location, holds));
        let path = path.ok_or_else(|| lost(self.model.cfa.edges().flat_map(|(_, edge)| edge.op.terms())))?;
        // The path alone has its execution, which is asked for anew.
        let formula = PathFormula::new(path.iter().filter_map(|block| block.op.as_ref()));
        let mut smt = self.solvers.for_paths();
        formula.parts.iter().for_each(|part| smt.assert(*part));
        match smt.check().decided().map_err(solver_reason)? {
            true => execution(self.model, smt.as_mut(), &path, &formula).map(Some),
            false => Err(Reason::Internal("the path to an error cannot be taken".into())),
        }
    }

    /// End: whether no execution goes on. It is asked seldom as depth grows.
    fn is_at_end(&mut self) -> Result<bool, Reason> {
        let depth = self.base.unwinding.depth();
        if faults::is(Fault::BoundAsProof) && depth >= 3 {
            return Ok(true);
        }
        if depth >= 8 && !depth.is_multiple_of(depth.ilog2() as usize) {
            return Ok(self.base.unwinding.is_at_end());
        }
        let mut failed = None;
        let Asked { unwinding, smt } = &mut self.base;
        unwinding.retain(|condition| match smt.check_assuming(&[condition]).decided() {
            Ok(possible) => possible,
            Err(why) => {
                failed.get_or_insert(why);
                true
            }
        });
        failed.map_or(Ok(unwinding.is_at_end()), |why| Err(solver_reason(why)))
    }

    /// Step: the number of blocks, if no state at all is so many away from an error.
    fn step(&mut self) -> Result<Option<usize>, Reason> {
        let depth = self.base.unwinding.depth();
        while !self.steps.is_empty()
            && self.steps[0].unwinding.depth() < depth
            && self.stepping * SHARE_OF_STEPS <= self.start.elapsed()
        {
            let mut excluded = true;
            for step in &mut self.steps {
                self.run.tick()?;
                step.unwinding.unwind();
                let bad = step.unwinding.at(is_bad);
                // All go on together, so that the next round finds them equally far.
                excluded = excluded && !step.can(bad)?;
            }
            if excluded {
                return Ok(Some(self.steps[0].unwinding.depth()));
            }
        }
        Ok(None)
    }

    fn proof(&self, parts: usize, by_induction: bool) -> Proof {
        let procedure = self.model.procedure;
        let invariant =
            |location: &LocId| Invariant { procedure, location: *location, formula: self.model.known(*location) };
        let cuts = self.model.locations().to_vec();
        let mut invariants: Vec<Invariant> = cuts.iter().map(invariant).collect();
        if invariants.iter().all(|invariant| invariant.formula == truth()) {
            invariants.clear();
        }
        Proof::Unwound { cuts, parts, by_induction, invariants }
    }

    fn tick(&mut self) -> Result<(), Reason> {
        self.run.tick()?;
        let (depth, step) = self.depths();
        self.run.progress(|| Progress { engine: NAME, figures: vec![("blocks", depth), ("induction step", step)] });
        Ok(())
    }

    /// How far executions and steps are unwound.
    fn depths(&self) -> (u64, u64) {
        let step = self.steps.first().map_or(0, |step| step.unwinding.depth());
        (self.base.unwinding.depth() as u64, step as u64)
    }

    fn tell_statistics(&mut self) {
        let (depth, step) = self.depths();
        let mut asked = Statistics::default();
        asked.add(self.base.smt.statistics());
        self.steps.iter().for_each(|step| asked.add(step.smt.statistics()));
        let statistics = &mut self.run.statistics;
        statistics.count("blocks unwound", depth);
        statistics.count("blocks of induction steps", step);
        for (kind, count, time) in asked.iter() {
            let seconds = time.as_secs_f64();
            statistics.set(kind.name(), Statistic::Text(format!("{count} in {seconds:.3} s")));
        }
    }
}
