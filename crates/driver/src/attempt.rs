//! One engine's attempt at a program: passes, the engine itself, and the check of what it answers.
//!
//! Invariant: an outcome that decides was checked. A violation was executed by the interpreter on the program as it was
//! loaded; a proof was proved again by `certify`, unless the user asked for no check.

use crate::engines::{Entry, Options};
use crate::lines::{Lines, span_to_show};
use crate::load::Loaded;
use crate::modelling::{Modelling, left_bound, left_region, none_within, within_bounds};
use crate::pipeline::{Executions, Forms};
use crate::portfolio::Others;
use crate::property::Property;
use crate::recheck::recheck;
use crate::replay::{Replayed, repeat, replay};
use crate::report::{Causes, Certificate, Outcome, Report, TraceStep, Violation};
use engine::{Reason, Run, Statistics, Trace, Verdict};
use execution::Execution;
use ir::PropertyId;
use pass::{Passed, RECURSION, starts_threads};
use source::{FileId, Place, SourceMap};
use std::time::{Duration, Instant};

/// Without a bound on contexts, it rises so far.
const MOST_CONTEXTS: u16 = 6;

/// What the user asked of engines.
pub struct Asked {
    /// An engine's name, or [`crate::engines::AUTO`].
    pub engine: String,
    pub options: Options,
    pub no_recheck: bool,
    pub no_execution: bool,
    pub likely_cause: Option<Duration>,
}

/// What is noted on the way to an outcome.
#[derive(Default)]
pub struct Record {
    pub decided_by: Option<&'static str>,
    pub statistics: Vec<(&'static str, Statistics)>,
    pub phases: Vec<(&'static str, Duration)>,
    /// The texts that the outcome points to.
    pub sources: SourceMap,
}

impl Record {
    /// Does a part of the work and notes how long it took.
    pub fn phase<T>(&mut self, name: &'static str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.phases.push((name, start.elapsed()));
        result
    }

    /// Adds what a part of the work reports, which may have had several attempts: times are added up, and of what an engine measured
    /// the last counts.
    pub fn note(&mut self, report: &Report) {
        for (name, time) in &report.phases {
            match self.phases.iter_mut().find(|(known, _)| known == name) {
                Some((_, known)) => *known += *time,
                None => self.phases.push((name, *time)),
            }
        }
        for (name, statistics) in &report.statistics {
            self.statistics.retain(|(known, _)| known != name);
            self.statistics.push((name, statistics.clone()));
        }
    }

    /// Adds what another part of the work noted, which found the outcome.
    pub fn add(&mut self, other: Record) {
        self.phases.extend(other.phases);
        self.statistics.extend(other.statistics);
        self.decided_by = other.decided_by;
        self.sources = other.sources;
    }
}

/// An attempt of an engine.
pub struct Attempt<'a> {
    pub loaded: &'a Loaded,
    pub asked: &'a Asked,
    pub entry: &'static Entry,
    pub forms: &'a Forms,
    pub others: &'a Others,
    /// How calls and memory are modelled at the moment.
    pub modelling: Modelling,
    pub run: &'a mut Run,
    pub record: &'a mut Record,
}

impl Attempt<'_> {
    /// Decides, for as many contexts of threads as were asked for.
    pub fn decide(&mut self) -> Outcome {
        let mut reason = Reason::NotAttempted("no engine was tried".to_string());
        for contexts in self.contexts() {
            match self.within_recursion(contexts) {
                // There may be a violation of more contexts.
                Outcome::Unknown(why @ Reason::BoundReached(_)) => reason = why,
                Outcome::Unknown(why) => {
                    // What is known of fewer contexts says more than why there is nothing to say about more.
                    if !matches!((&reason, &why), (Reason::BoundReached(_), Reason::NotAttempted(_))) {
                        reason = why;
                    }
                    break;
                }
                decided => return decided,
            }
        }
        Outcome::Unknown(reason)
    }

    /// The bounds on contexts to try, one after the other.
    fn contexts(&self) -> std::ops::RangeInclusive<u16> {
        match self.asked.options.contexts {
            _ if !starts_threads(&self.loaded.program) => 1..=1,
            Some(bound) => bound..=bound,
            None => 1..=MOST_CONTEXTS,
        }
    }

    /// Decides where threads run in at most this number of contexts, with a rising bound on recursion, if there must be one.
    fn within_recursion(&mut self, contexts: u16) -> Outcome {
        let mut reason = Reason::NotAttempted("no engine was tried".to_string());
        for modelling in self.asked.options.modelling.rising(&self.loaded.program) {
            self.modelling = modelling;
            match self.within(contexts) {
                Outcome::Unknown(Reason::BoundReached(bounds)) if bounds.iter().any(|(name, _)| *name == RECURSION) => {
                    reason = Reason::BoundReached(bounds);
                }
                // What is known of less recursion says more than why there is nothing to say about more.
                Outcome::Unknown(why)
                    if !matches!((&reason, &why), (Reason::BoundReached(_), Reason::NotAttempted(_))) =>
                {
                    reason = why;
                    break;
                }
                Outcome::Unknown(_) => break,
                decided => return decided,
            }
        }
        Outcome::Unknown(reason)
    }

    /// Decides where threads run in so many contexts at most.
    fn within(&mut self, contexts: u16) -> Outcome {
        let program = &self.loaded.program;
        if let Err(why) = self.run.tick() {
            return Outcome::Unknown(why);
        }
        let (passed, verdict) = match self.ask_split(contexts) {
            Ok(asked) => asked,
            Err(why) => return Outcome::Unknown(why),
        };
        let reason = match verdict {
            // An engine that got no threads saw only what they do within the bound.
            Verdict::True(_) if starts_threads(program) && !starts_threads(&passed.program) => {
                Reason::BoundReached(vec![("contexts", contexts.into())])
            }
            Verdict::True(proof) if self.asked.no_recheck => {
                return Outcome::Holds(Certificate { proof, checked_by: None, invariants: Vec::new() });
            }
            Verdict::True(proof) => {
                // What may be the answer already is worth more than what others may still find.
                self.others.go_first();
                let by_solvers = self.entry.asks_solvers;
                match self.record.phase("recheck", || recheck(program, &passed, proof, by_solvers, self.run)) {
                    Ok(outcome) => return told_at_loops(self.loaded, outcome),
                    Err(why) => why,
                }
            }
            Verdict::False(trace) => match violate(self.loaded, &passed.lift.trace(trace), &mut self.record.sources) {
                Ok(outcome) => return outcome,
                // Passes over-approximate, so this may be the fault of an abstraction.
                Err(why) => match self.find_violation(contexts) {
                    Ok(outcome) => return outcome,
                    Err(None) => Reason::NoProgress(format!("a violation could not be executed: {why}")),
                    Err(Some(why)) => why,
                },
            },
            Verdict::Unknown(Reason::BoundReached(mut bounds)) => {
                bounds.extend(starts_threads(program).then_some(("contexts", u64::from(contexts))));
                Reason::BoundReached(bounds)
            }
            Verdict::Unknown(why) => why,
        };
        Outcome::Unknown(reason)
    }

    /// What the engine says of the program with split memory. Where accesses do not stay in the regions that they are assumed to stay in,
    /// nothing is assumed of those objects any more.
    fn ask_split(&mut self, contexts: u16) -> Result<(Passed, Verdict), Reason> {
        loop {
            let passed = self.prepare(contexts, Executions::All)?;
            let verdict = self.ask(&passed);
            let left = match &verdict {
                Verdict::Unknown(why) => left_region(why),
                _ => None,
            };
            let split = left.map(|class| self.modelling.split.without(class));
            match split.filter(|split| *split != self.modelling.split) {
                Some(split) => self.modelling.split = split,
                None => return Ok((passed, verdict)),
            }
        }
    }

    /// Looks for a violation that can be executed, on the program that the engine has for that. A reason, if there is a
    /// better one than that none was found.
    fn find_violation(&mut self, contexts: u16) -> Result<Outcome, Option<Reason>> {
        let passed = self.prepare(contexts, Executions::Replayable)?;
        match self.ask(&passed) {
            Verdict::True(_) => Err(None),
            Verdict::False(trace) => violate(self.loaded, &passed.lift.trace(trace), &mut self.record.sources)
                .map_err(|why| Some(Reason::NoProgress(format!("a violation could not be executed: {why}")))),
            Verdict::Unknown(why) => Err(Some(why)),
        }
    }

    /// The program in the form that the engine wants.
    fn prepare(&mut self, contexts: u16, executions: Executions) -> Result<Passed, Reason> {
        let (entry, program, forms) = (self.entry, &self.loaded.program, self.forms);
        let options = Options { modelling: self.modelling, ..self.asked.options.clone() };
        self.record.phase("passes", || entry.prepare(program, contexts, executions, forms, &options))
    }

    /// What the engine says. Where executions leave a bound of the model, it is asked for violations within the bound.
    fn ask(&mut self, passed: &Passed) -> Verdict {
        match self.ask_once(passed) {
            Verdict::Unknown(why) if left_bound(&why).is_some() && left_region(&why).is_none() => {
                match self.ask_once(&within_bounds(passed)) {
                    Verdict::True(_) => Verdict::Unknown(none_within(&passed.program)),
                    verdict => verdict,
                }
            }
            verdict => verdict,
        }
    }

    fn ask_once(&mut self, passed: &Passed) -> Verdict {
        let name = self.entry.name;
        self.run.statistics = Statistics::default();
        let engine = (self.entry.make)(&self.asked.options, passed);
        let verdict = self.record.phase(name, || engine.check(&passed.program, self.run));
        self.record.statistics.push((name, std::mem::take(&mut self.run.statistics)));
        self.record.decided_by = Some(name);
        verdict
    }
}

/// A proof with those of its invariants that stand at a statement which is a loop: others have no place where a reader would look for them.
fn told_at_loops(loaded: &Loaded, mut outcome: Outcome) -> Outcome {
    if let Outcome::Holds(certificate) = &mut outcome
        && !certificate.invariants.is_empty()
    {
        let mut sources = SourceMap::default();
        let text = loaded.text(&mut sources);
        let lines = Lines::new(&sources, &text);
        let is_loop = |place| matches!(lines.word(place), Some(b"while" | b"for" | b"do"));
        certificate.invariants.retain(|invariant| is_loop(invariant.place));
    }
    outcome
}

/// The outcome for a trace, once it was executed; why it could not be, otherwise.
pub fn violate(loaded: &Loaded, trace: &Trace, sources: &mut SourceMap) -> Result<Outcome, String> {
    let text = loaded.text(sources);
    let replayed = replay(&loaded.program, trace, Lines::new(sources, &text))?;
    Ok(violated(loaded, trace.property, replayed, &text, sources))
}

/// The outcome for an execution, once it was made again; why it could not be, otherwise.
pub fn confirm(loaded: &Loaded, execution: &Execution, sources: &mut SourceMap) -> Result<Outcome, String> {
    let text = loaded.text(sources);
    let repeated = repeat(&loaded.program, execution, Lines::new(sources, &text))?;
    Ok(violated(loaded, execution.property, repeated, &text, sources))
}

fn violated(loaded: &Loaded, id: PropertyId, replayed: Replayed, texts: &[FileId], sources: &mut SourceMap) -> Outcome {
    let Replayed { steps, left_out, objects, inputs, choices, beyond, admitted } = replayed;
    let property = loaded.program.property(id);
    let place = users_place(property.place, &steps);
    Outcome::Violated(Violation {
        property: Property::from_class(property.class),
        id,
        text: property.text,
        place,
        span: place.and_then(|place| span_to_show(place, texts, sources)),
        steps,
        left_out,
        objects,
        inputs,
        choices,
        causes: Causes::default(),
        beyond,
        admitted,
    })
}

/// Where a violation is for the user: if it happens in Fathom's library, where the library was called.
fn users_place(place: Option<Place>, steps: &[TraceStep]) -> Option<Place> {
    let is_users = |place: &Place| !place.file.as_str().starts_with("<library>");
    place.filter(is_users).or_else(|| steps.iter().rev().find_map(|step| step.place.filter(is_users))).or(place)
}
