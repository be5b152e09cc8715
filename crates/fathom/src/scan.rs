//! `fathom scan`: every check of a program or library, in tables.

use crate::args::{Format, Scan};
use crate::check::{because, code, complain, refuse};
use crate::output::{in_colour, print, say};
use crate::supervise::{Ending, Limits, supervise};
use driver::all::scan;
use driver::check::Settings;
use driver::load::Request;
use driver::property::ALL;
use driver::report::{Finding, Outcome, Report, Summary};
use engine::{Progress, Reason};
use indicatif::{ProgressBar, ProgressStyle};
use report::{ScanOptions, TextOptions, scan_json, scan_text, summary_sarif, summary_verdict};
use std::io;
use std::time::{Duration, Instant};

/// How long before the end the scan stops, so that what it knows is told in time.
const FOR_THE_END: Duration = Duration::from_millis(200);

pub fn main(arguments: Scan) -> i32 {
    let mut request = Request::from(&arguments.load);
    if request.properties.is_empty() && request.automata.is_empty() {
        request.properties.push(ALL.to_string());
    }
    let limits = Limits {
        timeout: Some(arguments.timeout),
        memory: arguments.memory_limit.map(|limit| limit.saturating_mul(1 << 20)),
    };
    let bar = bar(arguments.timeout);
    let (counted, named, verbose) = (bar.clone(), bar.clone(), arguments.verbose);
    let settings = Settings {
        engine: arguments.engine.clone(),
        timeout: Some(arguments.timeout.saturating_sub(FOR_THE_END)),
        memory_limit: limits.memory,
        each_property: true,
        analyses_only: arguments.static_only,
        progress: Some(Box::new(move |progress: &Progress| match verbose {
            true => {
                let figures = progress.figures.iter().map(|(name, value)| format!("{name} {value}"));
                say(&format!("{}: {}", progress.engine, figures.collect::<Vec<_>>().join(", ")));
            }
            false => named.set_message(progress.engine),
        })),
        told: Some(Box::new(move |checks, decided| {
            counted.set_length(checks as u64);
            counted.set_position(decided as u64);
        })),
        ..Settings::default()
    };
    let fallback = Report::without_program(&request, Reason::Cancelled);
    let ending = supervise(limits, move |cancel| scan(&request, settings, cancel));
    bar.finish_and_clear();
    let summary = match ending {
        Ending::Done(Err(error)) | Ending::Stopped(Err(error), _) => return refuse(&error),
        Ending::Done(Ok(summary)) => summary,
        Ending::Stopped(Ok(summary), reason) => {
            let explained = |finding: Finding| {
                let finding = finding.stopped(&reason);
                Finding { report: because(finding.report, reason.clone()), ..finding }
            };
            Summary { findings: summary.findings.into_iter().map(explained).collect() }
        }
        Ending::Lost(reason) => {
            complain(&reason);
            let report = Report { outcome: Outcome::Unknown(reason), ..fallback };
            Summary { findings: vec![Finding::whole(report)] }
        }
    };
    let text = TextOptions { colour: in_colour(&io::stdout()), statistics: arguments.stats };
    match arguments.format {
        Format::Text => print(&scan_text(&summary, ScanOptions { text, traces: arguments.traces })),
        Format::Json => print(&scan_json(&summary)),
        Format::Sarif => print(&summary_sarif(&summary)),
    }
    if arguments.format != Format::Text {
        say(&summary_verdict(&summary));
    }
    summary.worst().map_or(0, |report| code(&report.outcome))
}

/// How many checks are decided, who works, and how much time is left; it is drawn on a terminal only.
fn bar(timeout: Duration) -> ProgressBar {
    let end = Instant::now() + timeout;
    let left = move |_: &indicatif::ProgressState, out: &mut dyn std::fmt::Write| {
        let left = end.saturating_duration_since(Instant::now()).as_secs();
        let _ = write!(out, "{}:{:02} left", left / 60, left % 60);
    };
    let style = ProgressStyle::with_template("[{bar:30}] {pos}/{len} checks decided, {left}  {msg}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> ").with_key("left", left);
    let bar = ProgressBar::new(0).with_style(style);
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}
