//! The whole way of a check: load, decide, check the answer, report.
//!
//! Nothing is reported that was not checked: a violation was executed, step by step, by the interpreter; a proof was
//! checked by code that did not find it. An answer that fails its check becomes UNKNOWN with an internal error.

use crate::connected::{Connected, connected, is_unconnected};
use crate::engines::{Entry, named};
use crate::lines::{Lines, span_to_show};
use crate::load::{LoadError, Loaded, Request, Target, load};
use crate::narrate::object_names;
use crate::property::Property;
use crate::replay::replay;
use crate::report::{Certificate, Outcome, Report, UnknownFunction, Violation};
use crate::smoke::smoke;
use engine::{Cancel, Progress, Proof, Reason, Run, Statistics, Trace, Verdict};
use ir::Program;
use source::{SourceMap, Symbol};
use std::time::{Duration, Instant};

/// How to decide.
#[derive(Default)]
pub struct Settings {
    /// An engine's name, or [`crate::engines::AUTO`].
    pub engine: String,
    pub timeout: Option<Duration>,
    /// In bytes, for the whole process.
    pub memory_limit: Option<u64>,
    /// Is told what engines say while they work.
    pub progress: Option<Box<dyn FnMut(&Progress) + Send>>,
}

/// Checks what a request asks for.
pub fn check(request: &Request, settings: Settings, cancel: Cancel) -> Result<Report, LoadError> {
    let start = Instant::now();
    let mut run = Run::new(settings.timeout, settings.memory_limit, cancel);
    if let Some(sink) = settings.progress {
        run.on_progress(sink);
    }
    let loaded = load(request)?;
    let mut progress = Record { phases: vec![("load", start.elapsed())], ..Record::default() };
    let mut sources = SourceMap::new();
    let outcome = decide(&loaded, &settings.engine, &mut run, &mut progress, &mut sources);
    let outcome = match (outcome, loaded.target.unsupported.first()) {
        // What could be checked holds; the rest was not looked at.
        (Outcome::Holds(_), Some(property)) => {
            let what = Symbol::new(&format!("property {property}"));
            Outcome::Unknown(Reason::Unsupported { what, place: None })
        }
        (outcome, _) => outcome,
    };
    let Loaded { program, target, remarks, .. } = loaded;
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

/// `sources` gets the texts that the outcome points to.
fn decide(loaded: &Loaded, engine: &str, run: &mut Run, record: &mut Record, sources: &mut SourceMap) -> Outcome {
    let program = &loaded.program;
    let Connected { errors, unsupported } = record.phase("connectivity", || connected(program));
    if errors.is_empty() {
        record.decided_by = Some("connectivity");
        return match unsupported.first() {
            Some((what, place)) => Outcome::Unknown(Reason::Unsupported { what: *what, place: *place }),
            None => prove(program, Proof::Unconnected),
        };
    }
    if let Some(trace) = record.phase("execution", || smoke(program, run)) {
        record.decided_by = Some("execution");
        return violate(loaded, &trace, sources);
    }
    let mut reason = Reason::NotAttempted("no engine was tried".to_string());
    for Entry { name, make } in named(engine) {
        if let Err(why) = run.tick() {
            return Outcome::Unknown(why);
        }
        run.statistics = Statistics::default();
        let verdict = record.phase(name, || make().check(program, run));
        record.statistics.push((name, std::mem::take(&mut run.statistics)));
        record.decided_by = Some(name);
        match verdict {
            Verdict::True(proof) => return prove(program, proof),
            Verdict::False(trace) => return violate(loaded, &trace, sources),
            Verdict::Unknown(why) => reason = why,
        }
    }
    match run.tick() {
        Ok(()) => Outcome::Unknown(reason),
        Err(why) => Outcome::Unknown(why),
    }
}

/// The outcome for a proof, once it is checked.
fn prove(program: &Program, proof: Proof) -> Outcome {
    match proof {
        Proof::Unconnected if is_unconnected(program) => {
            Outcome::Holds(Certificate { proof, checked_by: Some("a search backwards from the violations") })
        }
        Proof::Unconnected => internal("a violation is connected to the entry after all"),
        Proof::Invariants(_) => Outcome::Unknown(Reason::NotAttempted(
            "a proof was found, but nothing can check its invariants".to_string(),
        )),
    }
}

/// The outcome for a trace, once it was executed.
fn violate(loaded: &Loaded, trace: &Trace, sources: &mut SourceMap) -> Outcome {
    let text = loaded.text(sources);
    let mut steps = Vec::new();
    if let Err(why) = replay(&loaded.program, trace, Lines::new(sources, text), &mut |step| steps.push(step)) {
        return internal(&format!("a violation could not be executed: {why}"));
    }
    let property = loaded.program.property(trace.property);
    Outcome::Violated(Violation {
        property: Property::from_class(property.class),
        text: property.text,
        place: property.place,
        span: property.place.and_then(|place| span_to_show(place, text, sources)),
        steps,
        objects: object_names(&loaded.program),
    })
}

fn internal(what: &str) -> Outcome {
    Outcome::Unknown(Reason::Internal(what.to_string()))
}
