//! Summaries on demand come first: they decide most programs, and the search uses what they leave.

use crate::atoms::Atoms;
use crate::confirm::{Confirmed, confirm};
use crate::goals::{Goals, Stop};
use crate::inlining::{CallSite, Inlining};
use crate::{Options, Search, trace};
use engine::{Reason, Statistic, Verdict};
use std::time::Instant;

/// So often more atoms are looked for.
const MOST_REFINEMENTS: u32 = 200;

impl Search<'_> {
    /// Looks for a failure by [`Goals`], with more atoms whenever one cannot be taken; the verdict, if that decides. If it takes two
    /// thirds of the time, it is left.
    pub(crate) fn demand(&mut self) -> Result<Option<Verdict>, Reason> {
        if !self.options.houdini || self.options.static_inlining {
            return Ok(None);
        }
        let start = Instant::now();
        let until = self.run.time_left().map(|left| start + left * 2 / 3);
        let Search { inlining, solvers, run, options, .. } = self;
        let Options { recursion_bound, stack_bound, .. } = *options;
        let is_beyond = |site: &CallSite| {
            recursion_bound.is_some_and(|bound| site.cost > bound)
                || stack_bound.is_some_and(|bound| site.depth > bound)
        };
        let program = inlining.program;
        let make = || solvers.make_until(until);
        let mut bodies = Inlining::new(program, []);
        let atoms = Atoms::new(&mut bodies)?;
        let run = std::cell::RefCell::new(run);
        let mut tick = || run.borrow_mut().tick().map(|()| until.is_none_or(|until| Instant::now() < until));
        let mut goals = Goals::new(&mut bodies, atoms, &make, &mut tick);
        let mut refinements = 0;
        let found = loop {
            match goals.failure() {
                Ok(None) => {
                    let mut bodies = Inlining::new(program, []);
                    bodies.learn(goals.learnt());
                    bodies.start(make().as_mut())?;
                    break Some(Verdict::True(bodies.proof()));
                }
                Ok(Some(execution)) => {
                    let mut bodies = Inlining::new(program, []);
                    let mut tick = || run.borrow_mut().tick();
                    let (confirmed, mut smt) = confirm(&mut bodies, &execution, &is_beyond, &make, &mut tick)?;
                    match confirmed {
                        Confirmed::Yes(path) => break Some(trace::verdict(&bodies, smt.as_mut(), &path)?),
                        Confirmed::No(seeds) if refinements < MOST_REFINEMENTS && goals.refine(&seeds) => {
                            refinements += 1
                        }
                        Confirmed::No(_) | Confirmed::Unclear => break None,
                    }
                }
                Err(Stop::GivenUp) => break None,
                Err(Stop::Reason(reason)) => return Err(reason),
            }
        };
        inlining.learn(goals.learnt());
        let (lemmas, met, questions) = (goals.learnt().count(), goals.goals_met(), goals.questions);
        let seconds = start.elapsed().as_secs_f64();
        let text = format!(
            "{lemmas} lemmas, {questions} questions, {met} goals met, {refinements} refinements in {seconds:.3} s"
        );
        run.into_inner().statistics.set("summaries", Statistic::Text(text));
        Ok(found)
    }
}
