//! Checks a program for every property, each by itself, or a library for every function.
//!
//! Each property gets a program of its own, so that what violates one does not hide what violates another, and a share of the
//! time that is left. When a property is violated somewhere, the search goes on for other places, among executions that do
//! not come to those that are known.

use crate::attempt::Asked;
use crate::candidates::settle;
use crate::check::{ProgressSink, Settings, check_loaded};
use crate::load::{LoadError, Loaded, Request, load_each, load_functions};
use crate::remarks::about_nothing_to_check_in_library;
use crate::report::{Finding, Outcome, Report, Summary};
use engine::{Cancel, Progress, Run};
use ir::{Cfa, LocationKind, Program, PropertyId};
use source::Symbol;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// No more places than this are looked for of one property.
const MOST_PLACES: usize = 20;

/// The share of a function of a library, where no limit is given: one that cannot be decided must not keep the others waiting.
const USUAL_SHARE: Duration = Duration::from_secs(20);

/// Checks what a request asks for, property by property.
pub fn check_all(request: &Request, settings: Settings, cancel: Cancel) -> Result<Summary, LoadError> {
    let start = Instant::now();
    let mut each = load_each(request)?;
    let loading = start.elapsed();
    let mut run = Run::new(settings.timeout, settings.memory_limit, cancel.clone());
    let settled = each.first().map(|first| settle(request, first, &mut run)).transpose()?.flatten();
    match settled {
        None => {}
        Some(Err(reason)) => {
            let report = |loaded: Loaded| Report::for_target(loaded.target, reason.clone());
            let unknown = each.into_iter().map(|loaded| Finding {
                checks: loaded.program.properties.len(),
                report: report(loaded),
                others: Vec::new(),
            });
            return Ok(Summary { findings: unknown.collect() });
        }
        Some(Ok((request, remark))) => {
            each = load_each(&request)?;
            each.iter_mut().for_each(|loaded| loaded.remarks.push(remark.clone()));
        }
    }
    Ok(check_each(each, loading, settings, cancel))
}

/// Checks what a request asks for of each of these functions of a C library.
pub fn check_functions(
    request: &Request,
    functions: &[Symbol],
    settings: Settings,
    cancel: Cancel,
) -> Result<Summary, LoadError> {
    let start = Instant::now();
    let each = load_functions(request, functions)?;
    let settings = Settings { timeout: settings.timeout.or(Some(USUAL_SHARE * each.len() as u32)), ..settings };
    let mut summary = check_each(each, start.elapsed(), settings, cancel);
    let remark = about_nothing_to_check_in_library(&summary.findings);
    summary.findings.iter_mut().take(1).for_each(|first| first.report.remarks.extend(remark.clone()));
    Ok(summary)
}

/// Checks programs that took so long to load, each with a share of the time.
fn check_each(each: Vec<Loaded>, loading: Duration, settings: Settings, cancel: Cancel) -> Summary {
    let start = Instant::now();
    let Settings { engine, options, no_recheck, no_execution, timeout, memory_limit, progress } = settings;
    let asked = Arc::new(Asked { engine, options, no_recheck, no_execution });
    let sink = Arc::new(Mutex::new(progress));
    let mut findings = Vec::new();
    let count = each.len() as u32;
    for (i, loaded) in (0..).zip(each) {
        let share = timeout.map(|timeout| timeout.saturating_sub(loading + start.elapsed()) / (count - i));
        let mut run = Run::new(share, memory_limit, cancel.clone());
        run.on_progress(shared(&sink));
        findings.push(find(loaded, &asked, if i == 0 { loading } else { Duration::ZERO }, &mut run));
    }
    Summary { findings }
}

/// One of several sinks that are the same one.
fn shared(sink: &Arc<Mutex<Option<ProgressSink>>>) -> ProgressSink {
    let sink = Arc::clone(sink);
    Box::new(move |progress: &Progress| {
        if let Ok(mut sink) = sink.lock()
            && let Some(sink) = sink.as_mut()
        {
            sink(progress);
        }
    })
}

/// All that is found about one property.
fn find(loaded: Loaded, asked: &Arc<Asked>, loading: Duration, run: &mut Run) -> Finding {
    let checks = loaded.program.properties.len();
    let mut rest = loaded.clone();
    let report = check_loaded(&Arc::new(loaded), asked, loading, run);
    let mut others: Vec<Report> = Vec::new();
    while others.len() + 1 < MOST_PLACES
        && let Outcome::Violated(known) = &others.last().unwrap_or(&report).outcome
    {
        end_at(&mut rest.program, known.id);
        let next = check_loaded(&Arc::new(rest.clone()), asked, Duration::ZERO, run);
        if !matches!(next.outcome, Outcome::Violated(_)) {
            break;
        }
        others.push(next);
    }
    Finding { report, checks, others }
}

/// Lets executions end where they would violate a property.
pub(crate) fn end_at(program: &mut Program, known: PropertyId) {
    end_where(program, |kind| kind == LocationKind::Error(known));
}

/// Lets executions end where they come to something unsupported.
pub(crate) fn end_at_unsupported(program: &mut Program) {
    end_where(program, |kind| matches!(kind, LocationKind::Unsupported(_)));
}

/// Lets executions end at locations of some kinds.
pub(crate) fn end_where(program: &mut Program, is_end: impl Fn(LocationKind) -> bool) {
    for procedure in &mut program.procedures {
        let Ok(cfa) = &procedure.body else { continue };
        if !cfa.locations().any(|(_, location)| is_end(location.kind)) {
            continue;
        }
        let (mut locations, edges, entry, exit) = cfa.clone().into_parts();
        for location in locations.iter_mut().filter(|location| is_end(location.kind)) {
            location.kind = LocationKind::End;
        }
        procedure.body = Ok(Cfa::new(locations, edges, entry, exit));
    }
}
