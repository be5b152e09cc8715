//! The whole way of a check: load, decide, check the answer, report.
//!
//! Nothing is reported that was not checked: a violation was executed, step by step, by the interpreter; a proof was
//! checked by code that did not find it. An answer that fails its check becomes UNKNOWN with an internal error.

use crate::connected::{Connected, connected, is_unconnected};
use crate::endless::may_lose_memory;
use crate::engines::{Entry, Options, named};
use crate::lines::{Lines, span_to_show};
use crate::load::{LoadError, Loaded, Request, Target, load};
use crate::property::Property;
use crate::replay::{Replayed, replay};
use crate::report::{Certificate, Outcome, Report, UnknownFunction, Violation};
use crate::smoke::smoke;
use certify::Rejected;
use engine::{Cancel, Progress, Proof, Reason, Run, Statistics, Trace, Verdict};
use ir::Program;
use pass::{Passed, starts_threads};
use solver::{Limits, Profile, Smt, Z3};
use source::{SourceMap, Symbol};
use std::time::{Duration, Instant};

/// Without a bound on contexts, it rises so far.
const MOST_CONTEXTS: u16 = 6;

/// Who is told what engines say.
pub type ProgressSink = Box<dyn FnMut(&Progress) + Send>;

/// How to decide.
#[derive(Default)]
pub struct Settings {
    /// An engine's name, or [`crate::engines::AUTO`].
    pub engine: String,
    pub options: Options,
    /// Proofs are taken as they are: for measuring what their check costs.
    pub no_recheck: bool,
    /// Engines decide without a few executions before: for measuring them.
    pub no_execution: bool,
    pub timeout: Option<Duration>,
    /// In bytes, for the whole process.
    pub memory_limit: Option<u64>,
    /// Is told what engines say while they work.
    pub progress: Option<ProgressSink>,
}

/// Checks what a request asks for.
pub fn check(request: &Request, settings: Settings, cancel: Cancel) -> Result<Report, LoadError> {
    let start = Instant::now();
    let mut run = Run::new(settings.timeout, settings.memory_limit, cancel);
    if let Some(sink) = settings.progress {
        run.on_progress(sink);
    }
    let Settings { engine, options, no_recheck, no_execution, .. } = settings;
    let asked = Asked { engine, options, no_recheck, no_execution };
    let loaded = load(request)?;
    let mut progress = Record { phases: vec![("load", start.elapsed())], ..Record::default() };
    let mut sources = SourceMap::new();
    let outcome = decide(&loaded, &asked, &mut run, &mut progress, &mut sources);
    let outcome = match (outcome, unproved(&loaded)) {
        // What could be checked holds; the rest was not looked at.
        (Outcome::Holds(_), Some(what)) => {
            Outcome::Unknown(Reason::Unsupported { what: Symbol::new(&what), place: None })
        }
        (outcome, _) => outcome,
    };
    let Loaded { program, target, mut remarks, .. } = loaded;
    if let Outcome::Violated(Violation { beyond: Some(what), .. }) = &outcome {
        remarks.push(format!("the execution leaves an object on its way, which is undefined in C: {what}"));
    }
    let mut unknown_functions: Vec<UnknownFunction> =
        program.unknown_functions().map(|f| UnknownFunction { name: f.name, place: f.place }).collect();
    unknown_functions.sort();
    let decided_by = progress.decided_by.filter(|_| !matches!(outcome, Outcome::Unknown(_)));
    Ok(Report {
        sources,
        outcome,
        decided_by,
        unknown_functions,
        remarks,
        statistics: progress.statistics,
        phases: progress.phases,
        ..Report::for_target(target, Reason::Cancelled)
    })
}

/// What was asked for and would not be proved by proving that no violation is reachable.
fn unproved(loaded: &Loaded) -> Option<String> {
    let target = &loaded.target;
    if let Some(property) = target.unsupported.first() {
        return Some(format!("property {property}"));
    }
    let is_endless = target.properties.contains(&Property::ValidMemtrack) && may_lose_memory(&loaded.program);
    is_endless.then(|| "property valid-memtrack of a program that may run for ever".to_string())
}

impl Report {
    /// A report about a program that cannot be read.
    pub fn for_target(target: Target, reason: Reason) -> Report {
        Report {
            sources: SourceMap::new(),
            file: target.file.to_string_lossy().into_owned(),
            data_model: target.data_model,
            entry: target.entry,
            properties: target.properties,
            outcome: Outcome::Unknown(reason),
            decided_by: None,
            unknown_functions: Vec::new(),
            remarks: Vec::new(),
            statistics: Vec::new(),
            phases: Vec::new(),
        }
    }

    /// A report about a request of which nothing else is known.
    pub fn without_program(request: &Request, reason: Reason) -> Report {
        let target = Target {
            file: request.file.clone(),
            data_model: request.data_model.unwrap_or(ir::DataModel::Lp64),
            entry: Symbol::new(request.entry.as_deref().unwrap_or("main")),
            properties: request.properties.iter().filter_map(|p| Property::from_short_name(p)).flatten().collect(),
            unsupported: Vec::new(),
        };
        Report::for_target(target, reason)
    }
}

/// What a check notes on its way.
#[derive(Default)]
struct Record {
    decided_by: Option<&'static str>,
    statistics: Vec<(&'static str, Statistics)>,
    phases: Vec<(&'static str, Duration)>,
}

impl Record {
    /// Does a part of the work and notes how long it took.
    fn phase<T>(&mut self, name: &'static str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.phases.push((name, start.elapsed()));
        result
    }
}

/// What the user asked of engines.
struct Asked {
    engine: String,
    options: Options,
    no_recheck: bool,
    no_execution: bool,
}

/// `sources` gets the texts that the outcome points to.
fn decide(loaded: &Loaded, asked: &Asked, run: &mut Run, record: &mut Record, sources: &mut SourceMap) -> Outcome {
    let program = &loaded.program;
    let Connected { errors, unsupported } = record.phase("connectivity", || connected(program));
    if errors.is_empty() {
        record.decided_by = Some("connectivity");
        return match unsupported.first() {
            Some((what, place)) => Outcome::Unknown(Reason::Unsupported { what: *what, place: *place }),
            None => prove_unconnected(program),
        };
    }
    let executed = if asked.no_execution { None } else { record.phase("execution", || smoke(program, run)) };
    if let Some(trace) = executed {
        record.decided_by = Some("execution");
        return violate(loaded, &trace, sources)
            .unwrap_or_else(|why| internal(&format!("a violation could not be executed: {why}")));
    }
    let mut reason = Reason::NotAttempted("no engine was tried".to_string());
    for contexts in contexts(program, asked) {
        match within(loaded, asked, contexts, run, record, sources) {
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
    match run.tick() {
        Ok(()) => Outcome::Unknown(reason),
        Err(why) => Outcome::Unknown(why),
    }
}

/// The bounds on contexts to try, one after the other.
fn contexts(program: &Program, asked: &Asked) -> std::ops::RangeInclusive<u16> {
    match asked.options.contexts {
        _ if !starts_threads(program) => 1..=1,
        Some(bound) => bound..=bound,
        None => 1..=MOST_CONTEXTS,
    }
}

/// Decides with the engines that were asked for. Threads run in so many contexts at most.
fn within(
    loaded: &Loaded,
    asked: &Asked,
    contexts: u16,
    run: &mut Run,
    record: &mut Record,
    sources: &mut SourceMap,
) -> Outcome {
    let program = &loaded.program;
    let mut reason = Reason::NotAttempted("no engine was tried".to_string());
    for entry in named(&asked.engine) {
        let Entry { name, prepare, make, .. } = entry;
        if let Err(why) = run.tick() {
            return Outcome::Unknown(why);
        }
        let passed = match record.phase("passes", || prepare(program, contexts)) {
            Ok(passed) => passed,
            Err(why) => {
                reason = why;
                continue;
            }
        };
        run.statistics = Statistics::default();
        let verdict = record.phase(name, || make(&asked.options, &passed).check(&passed.program, run));
        record.statistics.push((name, std::mem::take(&mut run.statistics)));
        record.decided_by = Some(name);
        match verdict {
            // An engine that got no threads saw only what they do within the bound.
            Verdict::True(_) if starts_threads(program) && !starts_threads(&passed.program) => {
                return Outcome::Unknown(Reason::BoundReached(vec![("contexts", contexts.into())]));
            }
            Verdict::True(proof) if asked.no_recheck => {
                return Outcome::Holds(Certificate { proof, checked_by: None });
            }
            Verdict::True(proof) => match record.phase("recheck", || recheck(&passed, proof, run)) {
                Ok(outcome) => return outcome,
                Err(why) => reason = why,
            },
            Verdict::False(trace) => match violate(loaded, &passed.lift.trace(trace), sources) {
                Ok(outcome) => return outcome,
                // Passes over-approximate, so this may be the fault of an abstraction.
                Err(why) => match find_violation(loaded, entry, asked, contexts, run, record, sources) {
                    Ok(outcome) => return outcome,
                    Err(None) => reason = Reason::NoProgress(format!("a violation could not be executed: {why}")),
                    Err(Some(why)) => reason = why,
                },
            },
            Verdict::Unknown(Reason::BoundReached(mut bounds)) => {
                bounds.extend(starts_threads(program).then_some(("contexts", u64::from(contexts))));
                reason = Reason::BoundReached(bounds);
            }
            Verdict::Unknown(why) => reason = why,
        }
    }
    Outcome::Unknown(reason)
}

/// Looks for a violation that can be executed, on the program that an engine has for that. A reason, if there is a better one
/// than that none was found.
fn find_violation(
    loaded: &Loaded,
    entry: &Entry,
    asked: &Asked,
    contexts: u16,
    run: &mut Run,
    record: &mut Record,
    sources: &mut SourceMap,
) -> Result<Outcome, Option<Reason>> {
    let passed = record.phase("passes", || (entry.prepare_for_violations)(&loaded.program, contexts))?;
    run.statistics = Statistics::default();
    let verdict = record.phase(entry.name, || (entry.make)(&asked.options, &passed).check(&passed.program, run));
    record.statistics.push((entry.name, std::mem::take(&mut run.statistics)));
    match verdict {
        Verdict::True(_) => Err(None),
        Verdict::False(trace) => violate(loaded, &passed.lift.trace(trace), sources)
            .map_err(|why| Some(Reason::NoProgress(format!("a violation could not be executed: {why}")))),
        Verdict::Unknown(why) => Err(Some(why)),
    }
}

fn prove_unconnected(program: &Program) -> Outcome {
    if is_unconnected(program) {
        let checked_by = Some("a search backwards from the violations");
        Outcome::Holds(Certificate { proof: Proof::Unconnected, checked_by })
    } else {
        internal("a violation is connected to the entry after all")
    }
}

/// The outcome for a proof, once `certify` has proved it again on the engine's program.
fn recheck(passed: &Passed, proof: Proof, run: &Run) -> Result<Outcome, Reason> {
    let mut smt = Z3::new(Profile::Incremental);
    smt.set_limits(Limits {
        deadline: run.time_left().and_then(|left| Instant::now().checked_add(left)),
        memory: run.memory_limit(),
        cancel: run.cancel().flag().into(),
    });
    match certify::check_proof(&passed.program, &proof, &|| Box::new(smt.sibling(Profile::Incremental))) {
        Ok(()) => {
            let checked_by = Some(match proof {
                Proof::Inlined { .. } => "queries of its own to Z3, on the program without loops and memory",
                _ => "queries of its own to Z3, on the program without calls and memory",
            });
            Ok(Outcome::Holds(Certificate { proof, checked_by }))
        }
        // A check that ran out of time or memory says nothing against the engine.
        Err(Rejected::Undecided(why)) => Err(match why {
            solver::Unknown::Timeout => Reason::Timeout,
            solver::Unknown::Memory => Reason::Memory,
            solver::Unknown::Cancelled => Reason::Cancelled,
            other => Reason::NoProgress(format!("the proof could not be checked: {other}")),
        }),
        Err(rejected) => Err(Reason::Internal(format!("a proof failed its check: {rejected}"))),
    }
}

/// The outcome for a trace, once it was executed; why it could not be, otherwise.
fn violate(loaded: &Loaded, trace: &Trace, sources: &mut SourceMap) -> Result<Outcome, String> {
    let text = loaded.text(sources);
    let Replayed { steps, objects, beyond } = replay(&loaded.program, trace, Lines::new(sources, text))?;
    let property = loaded.program.property(trace.property);
    Ok(Outcome::Violated(Violation {
        property: Property::from_class(property.class),
        text: property.text,
        place: property.place,
        span: property.place.and_then(|place| span_to_show(place, text, sources)),
        steps,
        objects,
        beyond,
    }))
}

fn internal(what: &str) -> Outcome {
    Outcome::Unknown(Reason::Internal(what.to_string()))
}
