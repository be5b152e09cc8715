//! Checks a program for every property, each by itself, or a library for every function.
//!
//! Each property gets a program of its own, so that what violates one does not hide what violates another, and a share of the
//! time that is left. In each, every check gets a verdict of its own ([`crate::checks`]).

use crate::attempt::Asked;
use crate::candidates::settle;
use crate::check::{ProgressSink, Settings};
use crate::checks::{Budget, Study, Told, View};
use crate::load::{Library, LoadError, Loaded, Request, load_each};
use crate::remarks::about_nothing_to_check_in_library;
use crate::report::{Finding, Report, Summary};
use engine::{Cancel, Progress, Run};
use source::Symbol;
use std::cell::RefCell;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Analyses have at most this part of the time, if engines are asked, too.
const ANALYSES: u32 = 2;

/// The share of a function of a library, where no limit is given: one that cannot be decided must not keep the others waiting.
const USUAL_SHARE: Duration = Duration::from_secs(20);

/// Checks what a request asks for, property by property.
pub fn check_all(request: &Request, settings: Settings, cancel: Cancel) -> Result<Summary, LoadError> {
    let start = Instant::now();
    check_loaded_each(request, load_each(request)?, start, settings, cancel)
}

/// Checks every place of a program where something can be violated; of a library, function by function.
///
/// This is how F-Soft was used on industrial code ("Mixed Symbolic Representations for Model Checking Software Programs", Section 8.3):
/// many checks, most of which a static analysis decides, and a model checker for the others.
pub fn scan(request: &Request, settings: Settings, cancel: Cancel) -> Result<Summary, LoadError> {
    let start = Instant::now();
    match load_each(request) {
        Ok(each) => check_loaded_each(request, each, start, settings, cancel),
        Err(error) if !error.functions.is_empty() => check_functions(request, &error.functions, settings, cancel),
        Err(error) => Err(error),
    }
}

fn check_loaded_each(
    request: &Request,
    mut each: Vec<Loaded>,
    start: Instant,
    settings: Settings,
    cancel: Cancel,
) -> Result<Summary, LoadError> {
    let mut run = Run::new(settings.timeout, settings.memory_limit, cancel.clone());
    let settled = each.first().map(|first| settle(request, first, &mut run)).transpose()?.flatten();
    match settled {
        None => {}
        Some(Err(reason)) => {
            let report = |loaded: Loaded| Report::for_target(loaded.target, reason.clone());
            return Ok(Summary { findings: each.into_iter().map(|loaded| Finding::whole(report(loaded))).collect() });
        }
        Some(Ok((request, remark))) => {
            each = load_each(&request)?;
            each.iter_mut().for_each(|loaded| loaded.remarks.push(remark.clone()));
        }
    }
    let count = each.len();
    check_each(each.into_iter().map(Ok), count, start, settings, cancel)
}

/// Checks what a request asks for of each of these functions of a C library.
pub fn check_functions(
    request: &Request,
    functions: &[Symbol],
    settings: Settings,
    cancel: Cancel,
) -> Result<Summary, LoadError> {
    let start = Instant::now();
    let library = Library::read(request, functions, request.asks_for_all() || settings.each_property)?;
    let usual = USUAL_SHARE * library.count() as u32;
    let settings = Settings { timeout: settings.timeout.or(Some(usual)), ..settings };
    let mut summary = check_each(library.programs(), library.count(), start, settings, cancel)?;
    let remark = about_nothing_to_check_in_library(&summary.findings);
    summary.findings.iter_mut().take(1).for_each(|first| first.report.remarks.extend(remark.clone()));
    Ok(summary)
}

/// Checks programs, property by property, or a library function by function. What analyses decide of each comes first, and the time
/// that is left then is shared by those that have open checks; what one of them does not use is for the others.
fn check_each(
    each: impl Iterator<Item = Result<Loaded, LoadError>>,
    count: usize,
    start: Instant,
    settings: Settings,
    cancel: Cancel,
) -> Result<Summary, LoadError> {
    let Settings { engine, options, no_recheck, no_execution, likely_cause, timeout, memory_limit, progress, .. } =
        settings;
    let asked = Arc::new(Asked { engine, options, no_recheck, no_execution, likely_cause });
    let sink = Arc::new(Mutex::new(progress));
    let left = || timeout.map(|timeout| timeout.saturating_sub(start.elapsed()));
    let run = {
        let cancel = cancel.clone();
        move |share| {
            let mut run = Run::new(share, memory_limit, cancel.clone());
            run.on_progress(shared(&sink));
            run
        }
    };
    let budget = Budget {
        run: Box::new(run),
        cancel,
        told: Told::new(settings.told),
        too_slow: RefCell::default(),
        kept: settings.kept,
    };
    let mut findings: Vec<Option<Finding>> = Vec::new();
    let mut studies: Vec<(usize, Study)> = Vec::new();
    let mut loading = start;
    let part = if settings.analyses_only { 1 } else { ANALYSES };
    let share = |others: usize| left().map(|left| left / part / others.max(1) as u32);
    for (number, loaded) in each.enumerate() {
        let study = Study::new(number, loaded?, &asked, loading.elapsed());
        budget.told.more(study.checks(), study.decided());
        study.keep(&budget);
        let study = analysed(study, &View::FIRST, share(count - number), &budget);
        loading = Instant::now();
        findings.push(None);
        match study.is_done() {
            true => findings[number] = Some(study.finding()),
            false => studies.push((number, study)),
        }
    }
    let count = studies.len();
    let mut undone: Vec<(usize, Study)> = Vec::new();
    for (done, (number, study)) in studies.into_iter().enumerate() {
        let study = analysed(study, &View::OTHERS, share(count - done), &budget);
        match study.is_done() || settings.analyses_only {
            true => findings[number] = Some(study.finding()),
            false => undone.push((number, study)),
        }
    }
    let mut studies = undone;
    // Those that have only little left first: what they do not need is for the others.
    studies.sort_by_key(|(number, study)| (study.open(), *number));
    let with_checks = studies.iter().filter(|(_, study)| study.checks() > 0).count();
    for (done, (_, study)) in studies.iter_mut().filter(|(_, study)| study.checks() > 0).enumerate() {
        let share = || left().map(|left| left / (with_checks - done) as u32);
        study.by_engines(share(), &budget);
        study.about_unsupported(share(), &budget);
    }
    // What nobody used is for those that had no time, as long as each of them has more than before.
    while let open @ 1.. = studies.iter_mut().map(|(_, study)| u32::from(study.reopen(left()))).sum::<u32>() {
        for (done, (_, study)) in studies.iter_mut().filter(|(_, study)| study.open() > 0).enumerate() {
            study.by_engines(left().map(|left| left / open.saturating_sub(done as u32).max(1)), &budget);
        }
    }
    let count = studies.len();
    for (done, (number, mut study)) in studies.into_iter().enumerate() {
        study.about_unsupported(left().map(|left| left / (count - done) as u32), &budget);
        findings[number] = Some(study.finding());
    }
    Ok(Summary { findings: findings.into_iter().flatten().collect() })
}

/// What is left of the checks when analyses have looked at them.
fn analysed(mut study: Study, views: &[View], share: Option<Duration>, budget: &Budget) -> Study {
    let before = study.decided();
    study.by_analyses(views, share, budget);
    budget.told.decided(study.decided() - before);
    study
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Kept;
    use crate::engines::AUTO;
    use crate::report::Tally;
    use engine::Reason;

    const PROGRAM: &str = "extern int __VERIFIER_nondet_int(void);\nint table[8];\nint main(void) {\n\
        \u{20}   int n = __VERIFIER_nondet_int();\n    table[n & 7] = 1;\n    return 10 / n;\n}\n";

    /// Who cannot wait for the summary has all that was decided until then.
    #[test]
    fn what_is_decided_is_kept() {
        let folder = std::env::temp_dir().join(format!("fathom-kept-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join("t.c");
        std::fs::write(&file, PROGRAM).expect("a file");
        let request = Request { file, properties: vec!["all".to_string()], ..Request::default() };
        let kept = Kept::default();
        let timeout = Some(Duration::from_secs(60));
        let settings = Settings { engine: AUTO.into(), timeout, kept: kept.clone(), ..Settings::default() };
        let summary =
            check_all(&request, settings, Cancel::new()).unwrap_or_else(|why| panic!("{:?}", why.diagnostics));
        let known = kept.summary(&Reason::Timeout).expect("something is known");
        std::fs::remove_dir_all(&folder).expect("it is there");
        let told = |summary: &Summary| Tally::of(summary.findings.iter().flat_map(|finding| &finding.checks));
        assert_eq!(told(&known), told(&summary));
        assert!(told(&known).proved > 0 && told(&known).refuted == 1, "{:?}", told(&known));
        let violated = |summary: &Summary| summary.worst().and_then(Report::violated).map(|v| (v.property, v.place));
        assert_eq!(violated(&known), violated(&summary));
        assert!(kept.summary(&Reason::Timeout).is_none());
    }
}
