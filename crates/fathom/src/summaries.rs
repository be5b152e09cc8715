//! What commands share that decide every check: they work within limits, and there is a summary even when the work is lost.

use crate::args::Format;
use crate::output::{print, say};
use crate::supervise::{Ending, Limits, supervise};
use driver::check::Settings;
use driver::load::{LoadError, Request};
use driver::report::{Finding, Outcome, Report, Summary};
use engine::{Cancel, Reason};
use report::{summary_sarif, summary_verdict};

/// Decides in some way, within limits.
pub fn summarise(
    how: impl FnOnce(&Request, Settings, Cancel) -> Result<Summary, LoadError> + Send + 'static,
    request: Request,
    settings: Settings,
    limits: Limits,
) -> Result<Summary, LoadError> {
    let fallback = Report::without_program(&request, Reason::Cancelled);
    let kept = settings.kept.clone();
    match supervise(limits, move |cancel| how(&request, settings, cancel)) {
        Ending::Done(summary) => summary,
        Ending::Stopped(summary, reason) => summary.map(|summary| stopped(summary, &reason)),
        Ending::Lost(reason) => {
            complain(&reason);
            let nothing = || {
                let report = Report { outcome: Outcome::Unknown(reason.clone()), ..fallback };
                Summary { findings: vec![Finding::whole(report)] }
            };
            Ok(kept.summary(&reason).map_or_else(nothing, |summary| stopped(summary, &reason)))
        }
    }
}

/// The same of work that was told to stop, for this reason.
fn stopped(summary: Summary, reason: &Reason) -> Summary {
    let explained = |finding: Finding| {
        let finding = finding.stopped(reason);
        Finding { report: because(finding.report, reason.clone()), ..finding }
    };
    Summary { findings: summary.findings.into_iter().map(explained).collect() }
}

/// The reason why work was told to stop is better than what the work says of it, unless it found something out.
pub fn because(report: Report, reason: Reason) -> Report {
    match report.outcome {
        Outcome::Holds(_) | Outcome::Violated(_) => report,
        Outcome::Unknown(Reason::Internal(_) | Reason::BoundReached(_) | Reason::Unsupported { .. }) => report,
        Outcome::Unknown(_) => Report { outcome: Outcome::Unknown(reason), ..report },
    }
}

/// Prints a summary in a format, and gives the exit code.
pub fn conclude(
    summary: &Summary,
    format: Format,
    text: impl FnOnce(&Summary) -> String,
    json: impl FnOnce(&Summary) -> String,
) -> i32 {
    match format {
        Format::Text => print(&text(summary)),
        Format::Json => print(&json(summary)),
        Format::Sarif => print(&summary_sarif(summary)),
    }
    if format != Format::Text {
        say(&summary_verdict(summary));
    }
    summary.worst().map_or(0, |report| code(&report.outcome))
}

pub fn complain(reason: &Reason) {
    if let Reason::Internal(what) = reason {
        say(&format!("internal error: {what}. This is a bug of Fathom; please report it with the program"));
    }
}

pub fn code(outcome: &Outcome) -> i32 {
    match outcome {
        Outcome::Holds(_) => 0,
        Outcome::Violated(_) => 1,
        Outcome::Unknown(_) => 3,
    }
}
