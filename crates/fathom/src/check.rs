//! `fathom check`: decides, and ends with the verdict.

use crate::args::{Check, Format, Load, Predicate, Replay};
use crate::native::{replay, write_harness, write_witness};
use crate::output::{in_colour, print, say, show, writable};
use crate::progress::Watch;
use crate::summaries::{self, because, code, complain, summarise};
use crate::supervise::{Ending, Limits, supervise};
use driver::all::{check_all, check_functions};
use driver::check::{Settings, check};
use driver::engines::Options;
use driver::engines::predicate::Reuse;
use driver::load::{Candidates, LoadError, Request};
use driver::report::{Outcome, Report, Summary};
use engine::{Cancel, Reason};
use report::{TextOptions, json, sarif, summary_json, summary_text, text, verdict};
use source::Symbol;
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// How long the causes of a violation are looked for.
const LIKELY_CAUSE: Duration = Duration::from_secs(2);

impl From<&Load> for Request {
    fn from(load: &Load) -> Request {
        Request {
            file: load.files.first().cloned().unwrap_or_default(),
            linked: load.files.iter().skip(1).cloned().collect(),
            compile_commands: load.compile_commands.clone(),
            properties: load.property.clone(),
            data_model: load.data_model.map(Into::into),
            entry: load.entry.clone(),
            sequential_consistency: load.memory_model.is_some(),
            includes: load.include.clone(),
            defines: load.define.clone(),
            cooperative: load.cooperative,
            malloc_may_fail: load.malloc_may_fail,
            registers: load.mmio.clone(),
            missing_bodies: load.missing_bodies.map(Into::into),
            pointers: load.pointers.into(),
            concat: Vec::new(),
            automata: load.automaton.clone(),
            candidates: Candidates::Dropped,
        }
    }
}

pub fn main(arguments: Check) -> i32 {
    let limits = Limits::new(arguments.timeout, arguments.memory_limit);
    let outputs = [&arguments.witness, &arguments.harness, &arguments.predicate.keep_predicates];
    if let Some(why) = outputs.into_iter().flatten().find_map(|file| writable(file).err()) {
        say(&why);
        return 2;
    }
    let reuse = match reuse(&arguments.predicate) {
        Ok(reuse) => reuse,
        Err(why) => {
            say(&why);
            return 2;
        }
    };
    let settings = Settings {
        engine: arguments.engine.clone(),
        options: Options {
            reuse: reuse.clone(),
            interleaving: (&arguments.interleaving).into(),
            predicate: (&arguments.predicate).into(),
            induction: (&arguments.induction).into(),
            linear: (&arguments.linear).into(),
            mixed: (&arguments.mixed).into(),
            stratified: (&arguments.stratified).into(),
            modelling: arguments.modelling.with_recursion(arguments.stratified.recursion_bound),
            contexts: arguments.context_bound,
        },
        no_recheck: arguments.no_recheck,
        no_execution: arguments.no_execution,
        likely_cause: (!arguments.no_likely_cause).then_some(LIKELY_CAUSE),
        ..Settings::default()
    };
    let request = Request::from(&arguments.load);
    if request.asks_for_all() {
        let code = all(request, None, settings, limits, &arguments);
        keep(reuse.as_deref(), &arguments.predicate);
        return code;
    }
    let again = settings_again(&settings);
    match decide(request.clone(), settings, limits, Watch::new(arguments.verbose)) {
        Ok(mut report) => {
            beside(&mut report, &arguments);
            keep(reuse.as_deref(), &arguments.predicate);
            conclude(&report, &arguments)
        }
        Err(error) => library(request, &error, again, limits, &arguments),
    }
}

/// The predicates to begin with, and who keeps those of this run, if one of the two was asked for.
fn reuse(arguments: &Predicate) -> Result<Option<Arc<Reuse>>, String> {
    let given = match &arguments.reuse_predicates {
        Some(file) => {
            Some(std::fs::read_to_string(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?)
        }
        None => None,
    };
    Ok((given.is_some() || arguments.keep_predicates.is_some()).then(|| Arc::new(Reuse::new(given))))
}

/// Writes the predicates of this run, if that was asked for.
fn keep(reuse: Option<&Reuse>, arguments: &Predicate) {
    let (Some(reuse), Some(file)) = (reuse, &arguments.keep_predicates) else { return };
    let kept = reuse.kept();
    if kept.is_empty() {
        say(&format!("{} is not written: the engine predicate did not come to an end", file.display()));
    } else if let Err(error) = std::fs::write(file, kept) {
        say(&format!("cannot write {}: {error}", file.display()));
    }
}

/// What else was asked for beside the report.
fn beside(report: &mut Report, arguments: &Check) {
    if let Some(file) = &arguments.witness {
        write_witness(report, file);
    }
    if let Some(file) = &arguments.harness {
        write_harness(report, file);
    }
    if let (Some(Replay::Native), Some(violation)) = (arguments.replay, report.violated()) {
        let told = replay(report, violation, &arguments.load.include, &arguments.load.define);
        report.remarks.push(told);
    }
}

/// Input that is no program.
pub fn refuse(LoadError { sources, diagnostics, .. }: &LoadError) -> i32 {
    show(diagnostics, sources);
    2
}

/// The same settings for another check.
fn settings_again(settings: &Settings) -> Settings {
    Settings {
        engine: settings.engine.clone(),
        options: settings.options.clone(),
        no_recheck: settings.no_recheck,
        no_execution: settings.no_execution,
        likely_cause: settings.likely_cause,
        ..Settings::default()
    }
}

/// Checks every function, if it is a library that could not be loaded as a program.
fn library(request: Request, error: &LoadError, settings: Settings, limits: Limits, arguments: &Check) -> i32 {
    let asks_for_file = [arguments.witness.is_some(), arguments.harness.is_some(), arguments.replay.is_some()];
    match error.functions.is_empty() || asks_for_file.contains(&true) {
        true => refuse(error),
        false => all(request, Some(error.functions.clone()), settings, limits, arguments),
    }
}

/// Checks every property by itself, or every function of a library.
fn all(request: Request, functions: Option<Vec<Symbol>>, settings: Settings, limits: Limits, arguments: &Check) -> i32 {
    let watch = Watch::new(arguments.verbose);
    let again = settings_again(&settings);
    let settings = within(settings, limits, &watch);
    let how = move |asked: &Request, settings: Settings, cancel: Cancel| match &functions {
        None => check_all(asked, settings, cancel),
        Some(functions) => check_functions(asked, functions, settings, cancel),
    };
    let summary = summarise(how, request.clone(), settings, limits);
    watch.close();
    let text = |summary: &Summary| summary_text(summary, text_options(arguments));
    match summary {
        Ok(summary) => summaries::conclude(&summary, arguments.format, text, summary_json),
        Err(error) => library(request, &error, again, limits, arguments),
    }
}

fn within(settings: Settings, limits: Limits, watch: &Watch) -> Settings {
    let told = watch.clone();
    Settings {
        timeout: limits.timeout,
        memory_limit: limits.memory,
        progress: Some(Box::new(move |progress| told.tell(progress))),
        ..settings
    }
}

fn text_options(arguments: &Check) -> TextOptions {
    TextOptions { colour: in_colour(&io::stdout()), statistics: arguments.stats }
}

/// Checks what a request asks for, within limits. There is a report even when the work is lost.
pub fn decide(request: Request, settings: Settings, limits: Limits, watch: Watch) -> Result<Report, LoadError> {
    decide_by(check, request, settings, limits, watch)
}

/// Decides a request in some way, within limits.
pub fn decide_by(
    how: impl FnOnce(&Request, Settings, Cancel) -> Result<Report, LoadError> + Send + 'static,
    request: Request,
    settings: Settings,
    limits: Limits,
    watch: Watch,
) -> Result<Report, LoadError> {
    // What is known when the work is lost.
    let fallback = Report::without_program(&request, Reason::Cancelled);
    let settings = within(settings, limits, &watch);
    let ending = supervise(limits, move |cancel| how(&request, settings, cancel));
    let learnt = watch.close();
    match ending {
        Ending::Done(checked) => checked,
        Ending::Stopped(checked, reason) => checked.map(|report| because(report, reason)),
        Ending::Lost(reason) => {
            complain(&reason);
            Ok(Report { outcome: Outcome::Unknown(reason), remarks: learnt.into_iter().collect(), ..fallback })
        }
    }
}

fn conclude(report: &Report, arguments: &Check) -> i32 {
    match arguments.format {
        Format::Text => print(&text(report, text_options(arguments))),
        Format::Json => document(&json(report), report),
        Format::Sarif => document(&sarif(report), report),
    }
    code(&report.outcome)
}

fn document(text: &str, report: &Report) {
    print(text);
    say(&verdict(report));
}
