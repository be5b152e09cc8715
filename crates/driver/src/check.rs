//! The whole way of a check: load, decide, check the answer, report.
//!
//! Nothing is reported that was not checked: a violation was executed, step by step, by the interpreter; a proof was
//! checked by code that did not find it. An answer that fails its check becomes UNKNOWN with an internal error.

use crate::attempt::{Asked, Attempt, Record, confirm};
use crate::candidates::settle;
use crate::causes::causes;
pub use crate::checks::Kept;
use crate::connected::{Connected, can_fail_before_unsupported, connected, is_unconnected};
use crate::endless::{may_lose_memory, shows_end, shows_kept};
use crate::engines::predicate::LeftOut as PredicatesLeftOut;
use crate::engines::{AUTO, Entry, Options, Programs, named};
use crate::load::{LoadError, Loaded, Request, Target, load};
use crate::pipeline::{Form, Forms, end_where};
use crate::portfolio::{Others, Racer, race};
use crate::property::Property;
use crate::remarks::{about_missing_bodies, about_nothing_to_check, about_order, unknown_functions};
use crate::report::{Admitted, Certificate, LeftOut, Outcome, Report, Violation};
use certify::check_execution;
use engine::{Cancel, Progress, Proof, Reason, Run};
use execution::Shown;
use frontend_c::SourceFile;
use ir::interp::Limits;
use ir::{Assumption, AssumptionKind, LocationKind, Program, PropertyId};
use pass::{inlined_edges, recursive, starts_threads};
use source::{SourceMap, Symbol};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long executions run at full speed beside engines.
const FULL_SPEED: Duration = Duration::from_secs(1);
/// How much longer than they work they rest afterwards.
const RESTS: u32 = 2;
/// How long they go on when all engines have given up: a part of the time that is left then, or so long without a limit.
const ALONE_PART: u32 = 4;
const ALONE: Duration = Duration::from_secs(10);
/// A program with more edges is large: a driver, not an algorithm.
const LARGE: usize = 1000;
/// One that has more without calls is for who follows them.
const UNWIELDY: usize = 50_000;

/// Who is told what engines say.
pub type ProgressSink = Box<dyn FnMut(&Progress) + Send>;

/// Who is told how many checks there are, and how many of them are decided.
pub type CountSink = Box<dyn FnMut(usize, usize) + Send>;

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
    /// How long causes of a violation are looked for, if they are.
    pub likely_cause: Option<Duration>,
    pub timeout: Option<Duration>,
    /// In bytes, for the whole process.
    pub memory_limit: Option<u64>,
    /// Is told what engines say while they work.
    pub progress: Option<ProgressSink>,
    /// Each property of a function of a library is looked at by itself.
    pub each_property: bool,
    /// No engine that searches is asked about what analyses leave open.
    pub analyses_only: bool,
    /// Is told how many checks there are, and how many of them are decided.
    pub told: Option<CountSink>,
    /// Where a check of all properties keeps what it has found out.
    pub kept: Kept,
}

/// Checks what a request asks for.
pub fn check(request: &Request, settings: Settings, cancel: Cancel) -> Result<Report, LoadError> {
    check_except(request, &[], settings, cancel)
}

/// Checks what a request asks for, where executions end that would violate one of these.
pub fn check_except(
    request: &Request,
    known: &[PropertyId],
    settings: Settings,
    cancel: Cancel,
) -> Result<Report, LoadError> {
    let start = Instant::now();
    let mut run = Run::new(settings.timeout, settings.memory_limit, cancel);
    if let Some(sink) = settings.progress {
        run.on_progress(sink);
    }
    let Settings { engine, options, no_recheck, no_execution, likely_cause, .. } = settings;
    let asked = Arc::new(Asked { engine, options, no_recheck, no_execution, likely_cause });
    let mut loaded = load(request)?;
    match settle(request, &loaded, &mut run)? {
        None => {}
        Some(Ok((request, remark))) => {
            loaded = load(&request)?;
            loaded.remarks.push(remark);
        }
        Some(Err(reason)) => return Ok(Report::for_target(loaded.target, reason)),
    }
    let is_known = |kind| matches!(kind, LocationKind::Error(id) if known.contains(&id));
    end_where(&mut loaded.program, is_known);
    let loaded = Arc::new(loaded);
    let mut report = check_loaded(&loaded, &asked, start.elapsed(), &mut run, &Arc::default());
    report.remarks.extend(about_nothing_to_check(&loaded, &report.outcome));
    Ok(report)
}

/// Checks a program that took so long to load.
pub(crate) fn check_loaded(
    loaded: &Arc<Loaded>,
    asked: &Arc<Asked>,
    loading: Duration,
    run: &mut Run,
    forms: &Arc<Forms>,
) -> Report {
    let mut record = Record { phases: vec![("load", loading)], ..Record::default() };
    let outcome = all_that_was_asked(loaded, decide(loaded, asked, run, &mut record, forms));
    let outcome = with_causes(loaded, asked, outcome, run, &mut record);
    conclude(loaded, asked, outcome, record)
}

/// The outcome with the likely causes of its violation, if there is one and they were asked for.
fn with_causes(loaded: &Loaded, asked: &Asked, mut outcome: Outcome, run: &Run, record: &mut Record) -> Outcome {
    if let Outcome::Violated(violation) = &mut outcome
        && let Some(longest) = asked.likely_cause
    {
        violation.causes = record.phase("likely cause", || causes(loaded, violation, longest, run));
    }
    outcome
}

/// The report about an outcome.
pub(crate) fn conclude(loaded: &Loaded, asked: &Asked, outcome: Outcome, record: Record) -> Report {
    let mut remarks = loaded.remarks.clone();
    if let Some(PredicatesLeftOut { predicates, of }) = asked.options.reuse.as_ref().and_then(|reuse| reuse.left_out())
        && predicates > 0
    {
        remarks
            .push(format!("{predicates} of {of} predicates that were given do not fit the program and are left out"));
    }
    if let Outcome::Violated(Violation { beyond: Some(what), .. }) = &outcome {
        remarks.push(format!("the execution leaves an object on its way, which is undefined in C: {what}"));
    }
    if let Outcome::Violated(Violation { admitted: Admitted::WhereTheyAreMet, .. }) = &outcome {
        remarks.push(
            "the axioms contradict each other; those instances of them hold whose triggers match in the execution"
                .to_string(),
        );
    }
    if let Outcome::Violated(Violation { left_out: Some(LeftOut { edges, .. }), .. }) = &outcome {
        remarks.push(format!("the execution is long: {edges} of its steps are left out"));
    }
    let unknown_functions = unknown_functions(&loaded.program);
    remarks.extend(about_missing_bodies(&outcome, &unknown_functions));
    remarks.extend(about_order(&loaded.program));
    let decided_by = record.decided_by.filter(|_| !matches!(outcome, Outcome::Unknown(_)));
    Report {
        sources: record.sources,
        assumptions: assumptions(&loaded.program, &outcome),
        outcome,
        decided_by,
        unknown_functions,
        remarks,
        statistics: record.statistics,
        phases: record.phases,
        ..Report::for_target(loaded.target.clone(), Reason::Cancelled)
    }
}

/// The assumptions that an answer rests on. An execution in which allocation succeeds, threads see one order of writes, operands
/// are evaluated in one order and calls use external definitions is possible without the assumption that it is always so;
/// what is not known rests on nothing.
fn assumptions(program: &Program, outcome: &Outcome) -> Vec<Assumption> {
    let restricts = |kind| {
        use AssumptionKind::{Allocation, EvaluationOrder, ExternalDefinition};
        use AssumptionKind::{Jumps, OneAtATime, SequentialConsistency, Signals};
        matches!(
            kind,
            Allocation | SequentialConsistency | EvaluationOrder | ExternalDefinition | OneAtATime | Jumps | Signals
        )
    };
    let all = program.assumptions.iter();
    match outcome {
        Outcome::Holds(_) => all.cloned().collect(),
        Outcome::Violated(_) => all.filter(|assumption| !restricts(assumption.kind)).cloned().collect(),
        Outcome::Unknown(_) => Vec::new(),
    }
}

/// What was found out, if it is all that was asked for. Otherwise what could be checked holds, and the rest was not looked at.
fn all_that_was_asked(loaded: &Loaded, outcome: Outcome) -> Outcome {
    let Outcome::Holds(Certificate { proof, .. }) = &outcome else { return outcome };
    match unproved(loaded, proof) {
        Some(what) => Outcome::Unknown(Reason::Unsupported { what: Symbol::new(&what), place: None }),
        None => outcome,
    }
}

/// What was asked for and is not proved by proving so that no violation is reachable.
pub(crate) fn unproved(loaded: &Loaded, proof: &Proof) -> Option<String> {
    let target = &loaded.target;
    if let Some(property) = target.unsupported.first() {
        return Some(format!("property {property}"));
    }
    let is_endless = target.properties.contains(&Property::ValidMemtrack)
        && !shows_end(proof)
        && !shows_kept(proof)
        && may_lose_memory(&loaded.program);
    is_endless.then(|| "property valid-memtrack of a program that may run for ever".to_string())
}

impl Report {
    /// A report about a program that cannot be read.
    pub fn for_target(target: Target, reason: Reason) -> Report {
        Report {
            sources: SourceMap::new(),
            file: target.file.to_string_lossy().into_owned(),
            linked: target.units.into_iter().skip(1).map(|unit| unit.path).collect(),
            data_model: target.data_model,
            entry: target.entry,
            properties: target.properties,
            outcome: Outcome::Unknown(reason),
            decided_by: None,
            assumptions: Vec::new(),
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
            units: std::iter::once(&request.file).chain(&request.linked).map(|path| SourceFile::new(path)).collect(),
            data_model: request.data_model.unwrap_or(ir::DataModel::Lp64),
            entry: Symbol::new(request.entry.as_deref().unwrap_or("main")),
            properties: request.properties.iter().filter_map(|p| Property::from_short_name(p)).flatten().collect(),
            unsupported: Vec::new(),
            automata: Vec::new(),
            candidates: Vec::new(),
            functions: Vec::new(),
        };
        Report::for_target(target, reason)
    }
}

/// How many edges all procedures have.
fn edges(program: &Program) -> usize {
    program.procedures.iter().filter_map(|procedure| procedure.body.as_ref().ok()).map(|cfa| cfa.edges().count()).sum()
}

fn decide(loaded: &Arc<Loaded>, asked: &Arc<Asked>, run: &mut Run, record: &mut Record, forms: &Arc<Forms>) -> Outcome {
    let program = &loaded.program;
    let Connected { errors, unsupported } = record.phase("connectivity", || connected(program));
    if errors.is_empty() && unsupported.is_empty() {
        record.decided_by = Some("connectivity");
        return prove_unconnected(program);
    }
    if !asked.no_execution
        && let Some(found) = record.phase(execution::NAME, || execution::first(program, run))
    {
        let Shown::Unsupported { what, place } = &found else { return executed(loaded, Ok(found), record) };
        // The interpreter refuses more than what the program marks as unsupported.
        if let Some((what, place)) = unsupported.iter().find(|(w, p)| w.as_str() == what && p == place) {
            let reason = Reason::Unsupported { what: *what, place: *place };
            return before_unsupported(loaded, asked, reason, run, record);
        }
    }
    search(loaded, asked, run, record, forms)
}

/// Decides a program of which an execution comes to something unsupported: there is no proof, but there may be violations
/// among the executions that do not come there.
fn before_unsupported(
    loaded: &Arc<Loaded>,
    asked: &Arc<Asked>,
    reason: Reason,
    run: &mut Run,
    record: &mut Record,
) -> Outcome {
    if !can_fail_before_unsupported(&loaded.program) {
        return Outcome::Unknown(reason);
    }
    let mut cut = Loaded::clone(loaded);
    end_where(&mut cut.program, |kind| matches!(kind, LocationKind::Unsupported(_)));
    match search(&Arc::new(cut), asked, run, record, &Arc::default()) {
        Outcome::Holds(_) => Outcome::Unknown(reason),
        Outcome::Unknown(why) if !matches!(why, Reason::Internal(_)) => Outcome::Unknown(reason),
        other => other,
    }
}

/// Asks engines, and executions beside them.
fn search(loaded: &Arc<Loaded>, asked: &Arc<Asked>, run: &mut Run, record: &mut Record, forms: &Arc<Forms>) -> Outcome {
    let program = &loaded.program;
    let (has_threads, is_recursive) = (starts_threads(program), !recursive(program).is_empty());
    let suits = |entry: &&Entry| entry.programs != Programs::Threaded || asked.engine != AUTO || has_threads;
    // Who follows calls is for programs with recursion, and the others are for programs without; but the recursion of a large
    // program is seldom what matters in it.
    let is_large = edges(program) > LARGE;
    let is_unwieldy = inlined_edges(program) > UNWIELDY;
    let gives_way = |entry: &Entry| match entry.form {
        Form::Calls => !has_threads && !is_unwieldy && (!is_recursive || is_large),
        // Shapes are found soon or not at all.
        Form::Objects => true,
        _ if is_large && entry.for_small => true,
        _ => !has_threads && (is_unwieldy || is_recursive && !is_large),
    };
    let mut racers: Vec<Racer> = named(&asked.engine)
        .filter(suits)
        .map(|entry| Racer { gives_way: gives_way(entry), ..attempt(entry, loaded, asked, forms) })
        .collect();
    if asked.engine == AUTO && !asked.no_execution {
        racers.push(executions(loaded));
    }
    let outcome = race(racers, run, record);
    // That there was no time for more says less than what was found out in it.
    let says_little =
        |reason: &Reason| !matches!(reason, Reason::BoundReached(_) | Reason::Internal(_) | Reason::Unsupported { .. });
    match (outcome, run.tick()) {
        (Outcome::Unknown(reason), Err(why)) if says_little(&reason) => Outcome::Unknown(why),
        (outcome, _) => outcome,
    }
}

/// An engine as one of several that try to decide.
fn attempt(entry: &'static Entry, loaded: &Arc<Loaded>, asked: &Arc<Asked>, forms: &Arc<Forms>) -> Racer {
    let (loaded, asked, forms) = (loaded.clone(), asked.clone(), forms.clone());
    let work = move |run: &mut Run, record: &mut Record, others: &Others| {
        let modelling = asked.options.modelling;
        let mut attempt =
            Attempt { loaded: &loaded, asked: &asked, entry, forms: &forms, others, modelling, run, record };
        let outcome = attempt.decide();
        // One that is not all leaves the others their time.
        match all_that_was_asked(&loaded, outcome) {
            Outcome::Unknown(Reason::NoProgress(why)) => {
                Outcome::Unknown(Reason::NoProgress(format!("{}: {why}", entry.name)))
            }
            outcome => outcome,
        }
    };
    Racer { name: entry.name, gives_way: false, work: Box::new(work) }
}

/// Executions beside the engines.
fn executions(loaded: &Arc<Loaded>) -> Racer {
    let loaded = loaded.clone();
    let work = move |run: &mut Run, record: &mut Record, others: &Others| {
        let start = Instant::now();
        let deadline = run.time_left().map(|left| start + left);
        let cancel = run.cancel().clone();
        let mut end = None;
        let mut rest = |worked: Duration| {
            let now = Instant::now();
            if others.are_gone() {
                let left = deadline.map(|deadline| deadline.saturating_duration_since(now) / ALONE_PART);
                if now >= *end.get_or_insert(now + left.unwrap_or(ALONE)) {
                    cancel.cancel();
                }
            } else if now - start > FULL_SPEED {
                others.give_way(RESTS * worked, &cancel);
            }
        };
        let found = record.phase(execution::NAME, || execution::search(&loaded.program, run, &mut rest));
        record.statistics.push((execution::NAME, std::mem::take(&mut run.statistics)));
        // Why no more was executed says nothing; why engines gave up does.
        let found = found.map_err(|_| Reason::NotAttempted("executions show no violation".to_string()));
        executed(&loaded, found, record)
    };
    Racer { name: execution::NAME, gives_way: false, work: Box::new(work) }
}

/// The outcome of executions.
fn executed(loaded: &Loaded, found: Result<Shown, Reason>, record: &mut Record) -> Outcome {
    record.decided_by = Some(execution::NAME);
    match found {
        Ok(Shown::Violation(execution)) => confirm(loaded, &execution, &mut record.sources)
            .unwrap_or_else(|why| internal(&format!("a violation could not be executed: {why}"))),
        Ok(Shown::OnlyExecution(edges)) => match record.phase("recheck", || check_execution(&loaded.program, edges)) {
            Ok(()) => {
                let checked_by = Some(match edges > Limits::CHECKED_ONE_BY_ONE {
                    false => "an execution in which everything that a program can leave open is refused",
                    true => {
                        "an execution in which everything that a program can leave open is refused, and rounds of loops \
                         that only count are computed at once"
                    }
                });
                let proof = Proof::Executed { edges };
                Outcome::Holds(Certificate { proof, checked_by, invariants: Vec::new() })
            }
            Err(why) => internal(&format!("a proof failed its check: {why}")),
        },
        Ok(Shown::Unsupported { what, place }) => {
            Outcome::Unknown(Reason::Unsupported { what: Symbol::new(&what), place })
        }
        Err(reason) => Outcome::Unknown(reason),
    }
}

pub(crate) fn prove_unconnected(program: &Program) -> Outcome {
    if is_unconnected(program) {
        let checked_by = Some("a search backwards from the violations");
        Outcome::Holds(Certificate { proof: Proof::Unconnected, checked_by, invariants: Vec::new() })
    } else {
        internal("a violation is connected to the entry after all")
    }
}

fn internal(what: &str) -> Outcome {
    Outcome::Unknown(Reason::Internal(what.to_string()))
}
