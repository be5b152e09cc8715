//! `fathom check`: decides, and ends with the verdict.

use crate::args::{Check, Format, Load};
use crate::output::{in_colour, print, say, show};
use crate::supervise::{Ending, Limits, supervise};
use driver::check::{Settings, check};
use driver::engines::Options;
use driver::load::{LoadError, Request};
use driver::report::{Outcome, Report};
use engine::{Progress, Reason};
use report::{TextOptions, json, sarif, text, verdict};
use std::io;
use std::sync::{Arc, Mutex};

impl From<&Load> for Request {
    fn from(load: &Load) -> Request {
        Request {
            file: load.file.clone(),
            properties: load.property.clone(),
            data_model: load.data_model.map(Into::into),
            entry: load.entry.clone(),
            includes: load.include.clone(),
            defines: load.define.clone(),
        }
    }
}

pub fn main(arguments: Check) -> i32 {
    let limits = Limits {
        timeout: arguments.timeout,
        memory: arguments.memory_limit.map(|limit| limit.saturating_mul(1 << 20)),
    };
    let request = Request::from(&arguments.load);
    // What is known when the work is lost.
    let fallback = Report::without_program(&request, Reason::Cancelled);
    let latest: Arc<Mutex<Option<Progress>>> = Arc::default();
    let settings = Settings {
        engine: arguments.engine.clone(),
        options: Options { predicate: (&arguments.predicate).into() },
        no_recheck: arguments.no_recheck,
        no_execution: arguments.no_execution,
        timeout: limits.timeout,
        memory_limit: limits.memory,
        progress: Some(watch(arguments.verbose, latest.clone())),
    };
    let ending = supervise(limits, move |cancel| check(&request, settings, cancel));
    let checked = match ending {
        Ending::Done(checked) => checked,
        Ending::Stopped(checked, reason) => checked.map(|report| because(report, reason)),
        Ending::Lost(reason) => {
            if let Reason::Internal(what) = &reason {
                say(&format!("internal error: {what}. This is a bug of Fathom; please report it with the program"));
            }
            let learnt = latest.lock().ok().and_then(|progress| progress.clone()).map(|progress| shown(&progress));
            Ok(Report { outcome: Outcome::Unknown(reason), remarks: learnt.into_iter().collect(), ..fallback })
        }
    };
    match checked {
        Ok(report) => conclude(&report, &arguments),
        Err(LoadError::Invalid { sources, diagnostics }) => {
            show(&diagnostics, &sources);
            2
        }
        Err(LoadError::Refused { target, reason }) => conclude(&Report::for_target(target, reason), &arguments),
    }
}

/// The reason why work was told to stop is better than what the work says of it.
fn because(report: Report, reason: Reason) -> Report {
    match report.outcome {
        Outcome::Holds(_) | Outcome::Violated(_) | Outcome::Unknown(Reason::Internal(_)) => report,
        Outcome::Unknown(_) => Report { outcome: Outcome::Unknown(reason), ..report },
    }
}

/// Keeps what an engine tells last, and shows it if that is wanted.
fn watch(verbose: bool, latest: Arc<Mutex<Option<Progress>>>) -> Box<dyn FnMut(&Progress) + Send> {
    Box::new(move |progress| {
        if verbose {
            say(&shown(progress));
        }
        if let Ok(mut latest) = latest.lock() {
            *latest = Some(progress.clone());
        }
    })
}

fn shown(progress: &Progress) -> String {
    let figures: Vec<String> = progress.figures.iter().map(|(name, value)| format!("{name} {value}")).collect();
    format!("{}: {}", progress.engine, figures.join(", "))
}

fn conclude(report: &Report, arguments: &Check) -> i32 {
    match arguments.format {
        Format::Text => {
            print(&text(report, TextOptions { colour: in_colour(&io::stdout()), statistics: arguments.stats }));
        }
        Format::Json => document(&json(report), report),
        Format::Sarif => document(&sarif(report), report),
    }
    match report.outcome {
        Outcome::Holds(_) => 0,
        Outcome::Violated(_) => 1,
        Outcome::Unknown(_) => 3,
    }
}

fn document(text: &str, report: &Report) {
    print(text);
    say(&verdict(report));
}
