//! Summaries on demand: they decide most programs, and the search uses what they leave.
//!
//! Two ways share the time. [`tabulate`] knows values of variables, and finds out which variables matter; it is fast where it does.
//! [`Goals`] know relations between variables. The search has its first share of the time between them, see [`Search`].

use crate::atoms::{Atoms, Seed};
use crate::confirm::{Confirm, Confirmed, Missing};
use crate::goals::{End, Execution, Goals, Stop};
use crate::inlining::{CallSite, Inlining};
use crate::laws;
use crate::solvers::Make;
use crate::tabulate::{Tabulated, tabulate};
use crate::{Options, Search, trace};
use engine::{Reason, Statistic, Verdict};
use ir::{ProcId, Program};
use rustc_hash::FxHashSet;
use solver::Answer;
use std::time::{Duration, Instant};
use term::Term;

/// So long facts are looked for.
const FACTS: Duration = Duration::from_millis(1500);
/// They are looked for after so many refinements: many programs do without.
const FACTS_AFTER: u32 = 3;

/// So often more atoms are looked for.
const MOST_REFINEMENTS: u32 = 200;

/// Whether a call is beyond a bound.
type IsBeyond<'d> = &'d dyn Fn(&CallSite) -> bool;

/// What both ways need.
struct Demand<'d, 'p> {
    program: &'p Program,
    make: Make<'d>,
    is_beyond: IsBeyond<'d>,
    /// Whether there is time left.
    tick: &'d mut dyn FnMut() -> Result<bool, Reason>,
}

/// What becomes of an execution.
enum Looked {
    Violation(Verdict),
    Impossible(Missing),
    Unclear,
}

/// What a way ends with.
pub(crate) enum Ended {
    Decided(Verdict),
    /// Atoms that the next one should know.
    Open(Vec<Seed>),
}

impl Search<'_> {
    /// Looks for a failure by known values; the verdict, if that decides, or atoms for [`Search::summaries`]. This has a sixth of the
    /// time: where values decide, they do so soon.
    pub(crate) fn known_values(&mut self) -> Result<Ended, Reason> {
        let until = self.run.time_left().map(|left| Instant::now() + left / 6);
        let Search { inlining, solvers, run, options, .. } = self;
        let (program, is_beyond) = (inlining.program, options.beyond());
        let make = |formulas: &[Term]| solvers.make_for(formulas, until);
        let mut tick = || run.tick().map(|()| until.is_none_or(|until| Instant::now() < until));
        let mut demand = Demand { program, make: &make, is_beyond: &is_beyond, tick: &mut tick };
        let mut text = String::new();
        let ended = demand.values(&mut text)?;
        run.statistics.set("values", Statistic::Text(text));
        Ok(ended)
    }

    /// Looks for a failure by summaries; the verdict, if that decides. If it takes two thirds of the time, it is left.
    pub(crate) fn summaries(&mut self, seeds: &[Seed]) -> Result<Option<Verdict>, Reason> {
        let until = self.run.time_left().map(|left| Instant::now() + left * 2 / 3);
        let Search { inlining, solvers, run, options, .. } = self;
        let (program, is_beyond) = (inlining.program, options.beyond());
        let make = |formulas: &[Term]| solvers.make_for(formulas, until);
        let axiomatised = solvers.axiomatised();
        let mut bodies = Inlining::new(program, []);
        let atoms = Atoms::new(&mut bodies)?;
        let mut tick = || run.tick().map(|()| until.is_none_or(|until| Instant::now() < until));
        let mut more = || Ok(until.is_none_or(|until| Instant::now() < until));
        let mut goals = Goals::new(&mut bodies, atoms, (&make, &axiomatised), &mut more);
        goals.refine(seeds);
        let mut demand = Demand { program, make: &make, is_beyond: &is_beyond, tick: &mut tick };
        let start = Instant::now();
        let (found, refinements, why) = demand.goals(&mut goals)?;
        inlining.learn(goals.learnt());
        let (lemmas, met, questions) = (goals.learnt().count(), goals.goals_met(), goals.questions);
        let seconds = start.elapsed().as_secs_f64();
        let text = format!(
            "{lemmas} lemmas, {questions} questions, {met} goals met, {refinements} refinements in {seconds:.3} s: {why}"
        );
        run.statistics.set("summaries", Statistic::Text(text));
        Ok(found)
    }
}

impl Options {
    /// Whether a call is beyond the bounds.
    fn beyond(&self) -> impl Fn(&CallSite) -> bool + use<> {
        let Options { recursion_bound, stack_bound, .. } = *self;
        move |site| {
            recursion_bound.is_some_and(|bound| site.cost > bound)
                || stack_bound.is_some_and(|bound| site.depth > bound)
        }
    }
}

impl Demand<'_, '_> {
    /// Knows values of more and more variables.
    fn values(&mut self, text: &mut String) -> Result<Ended, Reason> {
        let start = Instant::now();
        let mut bodies = Inlining::new(self.program, []);
        let mut names: FxHashSet<String> = FxHashSet::default();
        let mut seeds = Vec::new();
        let mut rounds = 0_u32;
        let ended = loop {
            let tracked = variables(self.program, &names);
            rounds += 1;
            match tabulate(&mut bodies, &tracked, self.tick)? {
                Tabulated::Excluded(lemmas) => break Ended::Decided(self.proof(lemmas.into_iter())?),
                Tabulated::GivenUp => break Ended::Open(seeds),
                Tabulated::Found(execution) => match self.look(&execution, &[])? {
                    Looked::Violation(verdict) => break Ended::Decided(verdict),
                    Looked::Unclear => break Ended::Open(seeds),
                    Looked::Impossible(missing) => {
                        let before = names.len();
                        names.extend(missing.variables.iter().filter_map(|variable| own_name(*variable)));
                        seeds = missing.conditions;
                        if names.len() == before {
                            break Ended::Open(seeds);
                        }
                    }
                },
            }
        };
        let seconds = start.elapsed().as_secs_f64();
        *text = format!("{} variables, {rounds} rounds in {seconds:.3} s", names.len());
        Ok(ended)
    }

    /// Meets goals, with more atoms whenever an execution cannot be taken.
    fn goals(&mut self, goals: &mut Goals<'_, '_>) -> Result<(Option<Verdict>, u32, &'static str), Reason> {
        let mut refinements = 0;
        loop {
            let execution = match goals.failure() {
                Ok(None) => return Ok((Some(self.proof(goals.learnt())?), refinements, "no execution fails")),
                Ok(Some(execution)) => execution,
                Err(Stop::GivenUp(why)) => return Ok((None, refinements, why)),
                Err(Stop::Reason(reason)) => return Err(reason),
            };
            if refinements == FACTS_AFTER {
                goals.find_facts(FACTS)?;
            }
            match self.look(&execution, &goals.facts.formulas)? {
                Looked::Violation(verdict) => return Ok((Some(verdict), refinements, "an execution fails")),
                Looked::Unclear => return Ok((None, refinements, "an execution is unclear")),
                Looked::Impossible(Missing { conditions, equations, .. })
                    if refinements < MOST_REFINEMENTS && (goals.refine(&conditions) || goals.refine(&equations)) =>
                {
                    refinements += 1;
                }
                Looked::Impossible(_) => return Ok((None, refinements, "no atoms are left")),
            }
        }
    }

    /// Looks whether an execution can be taken, where these facts about constants are known.
    fn look(&mut self, execution: &Execution, facts: &[Term]) -> Result<Looked, Reason> {
        let mut tick = || (self.tick)().map(|_| ());
        let mut confirm = Confirm { facts, is_beyond: self.is_beyond, make: self.make, tick: &mut tick };
        let (confirmed, bodies, smt) = confirm.confirm(self.program, execution)?;
        Ok(match (confirmed, smt) {
            (Confirmed::Yes(path), Some(mut smt)) => {
                let is_allowed = !laws::tell(&self.program.axioms, smt.as_mut())
                    || smt.check_assuming(&path.flags) == Answer::Sat
                    || smt.has_candidate();
                match is_allowed {
                    true => Looked::Violation(trace::verdict(&bodies, smt.as_mut(), &path)?),
                    false => Looked::Unclear,
                }
            }
            (Confirmed::No(missing), _) => Looked::Impossible(missing),
            _ => Looked::Unclear,
        })
    }

    fn proof(&mut self, lemmas: impl Iterator<Item = (ProcId, End, Term)>) -> Result<Verdict, Reason> {
        let mut bodies = Inlining::new(self.program, []);
        bodies.learn(lemmas);
        bodies.start((self.make)(&[]).as_mut())?;
        Ok(Verdict::True(bodies.proof()))
    }
}

/// A variable's name in the procedure that it was declared in: copies of the procedure's body have copies of it.
fn own_name(variable: Term) -> Option<String> {
    let name = variable.name()?;
    Some(name.as_str().split('%').next().unwrap_or_default().to_string())
}

/// The variables of these names.
fn variables(program: &Program, names: &FxHashSet<String>) -> FxHashSet<Term> {
    let locals = program.procedures.iter().flat_map(|p| p.parameters.iter().chain(&p.results).chain(&p.locals));
    let all = program.globals.iter().chain(locals).map(|variable| variable.term);
    all.filter(|variable| own_name(*variable).is_some_and(|name| names.contains(&name))).collect()
}
