//! `fathom check`: decides, and ends with the verdict.

use crate::args::{Check, Format, Load};
use crate::output::{in_colour, print, say, show};
use crate::progress::Watch;
use crate::supervise::{Ending, Limits, supervise};
use driver::check::{Settings, check};
use driver::engines::Options;
use driver::load::{LoadError, Request};
use driver::report::{Outcome, Report};
use engine::Reason;
use report::{TextOptions, json, sarif, text, verdict};
use std::io;

impl From<&Load> for Request {
    fn from(load: &Load) -> Request {
        Request {
            file: load.file.clone(),
            properties: load.property.clone(),
            data_model: load.data_model.map(Into::into),
            entry: load.entry.clone(),
            includes: load.include.clone(),
            defines: load.define.clone(),
            cooperative: load.cooperative,
            concat: Vec::new(),
        }
    }
}

pub fn main(arguments: Check) -> i32 {
    let limits = Limits {
        timeout: arguments.timeout,
        memory: arguments.memory_limit.map(|limit| limit.saturating_mul(1 << 20)),
    };
    let settings = Settings {
        engine: arguments.engine.clone(),
        options: Options {
            interleaving: (&arguments.interleaving).into(),
            predicate: (&arguments.predicate).into(),
            induction: (&arguments.induction).into(),
            stratified: (&arguments.stratified).into(),
            contexts: arguments.context_bound,
        },
        no_recheck: arguments.no_recheck,
        no_execution: arguments.no_execution,
        ..Settings::default()
    };
    match decide(Request::from(&arguments.load), settings, limits, Watch::new(arguments.verbose)) {
        Ok(report) => conclude(&report, &arguments),
        Err(LoadError { sources, diagnostics }) => {
            show(&diagnostics, &sources);
            2
        }
    }
}

/// Checks what a request asks for, within limits. There is a report even when the work is lost.
pub fn decide(request: Request, settings: Settings, limits: Limits, watch: Watch) -> Result<Report, LoadError> {
    // What is known when the work is lost.
    let fallback = Report::without_program(&request, Reason::Cancelled);
    let told = watch.clone();
    let settings = Settings {
        timeout: limits.timeout,
        memory_limit: limits.memory,
        progress: Some(Box::new(move |progress| told.tell(progress))),
        ..settings
    };
    let ending = supervise(limits, move |cancel| check(&request, settings, cancel));
    let learnt = watch.close();
    match ending {
        Ending::Done(checked) => checked,
        Ending::Stopped(checked, reason) => checked.map(|report| because(report, reason)),
        Ending::Lost(reason) => {
            if let Reason::Internal(what) = &reason {
                say(&format!("internal error: {what}. This is a bug of Fathom; please report it with the program"));
            }
            Ok(Report { outcome: Outcome::Unknown(reason), remarks: learnt.into_iter().collect(), ..fallback })
        }
    }
}

/// The reason why work was told to stop is better than what the work says of it, unless it found something out.
fn because(report: Report, reason: Reason) -> Report {
    match report.outcome {
        Outcome::Holds(_) | Outcome::Violated(_) | Outcome::Unknown(Reason::Internal(_) | Reason::BoundReached(_)) => {
            report
        }
        Outcome::Unknown(_) => Report { outcome: Outcome::Unknown(reason), ..report },
    }
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
