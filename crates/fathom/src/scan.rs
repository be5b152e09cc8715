//! `fathom scan`: every check of a program or library, in tables.

use crate::args::Scan;
use crate::check::refuse;
use crate::output::{in_colour, say};
use crate::progress;
use crate::summaries::{conclude, summarise};
use crate::supervise::Limits;
use driver::all::scan;
use driver::check::Settings;
use driver::load::Request;
use driver::property::ALL;
use driver::report::Summary;
use engine::Progress;
use indicatif::{ProgressBar, ProgressStyle};
use report::{ScanOptions, TextOptions, scan_json, scan_text};
use std::io;
use std::time::{Duration, Instant};

/// How long before the end the scan stops, so that what it knows is told in time.
const FOR_THE_END: Duration = Duration::from_millis(200);

pub fn main(arguments: Scan) -> i32 {
    let mut request = Request::from(&arguments.load);
    if request.properties.is_empty() && request.automata.is_empty() {
        request.properties.push(ALL.to_string());
    }
    let limits = Limits::new(Some(arguments.timeout), arguments.memory_limit);
    let bar = bar(arguments.timeout);
    let (counted, named, verbose) = (bar.clone(), bar.clone(), arguments.verbose);
    let settings = Settings {
        engine: arguments.engine.clone(),
        timeout: Some(arguments.timeout.saturating_sub(FOR_THE_END)),
        memory_limit: limits.memory,
        each_property: true,
        analyses_only: arguments.static_only,
        progress: Some(Box::new(move |progress: &Progress| match verbose {
            true => say(&progress::text(progress)),
            false => named.set_message(progress.engine),
        })),
        told: Some(Box::new(move |checks, decided| {
            counted.set_length(checks as u64);
            counted.set_position(decided as u64);
        })),
        ..Settings::default()
    };
    let summary = summarise(scan, request, settings, limits);
    bar.finish_and_clear();
    let text = TextOptions { colour: in_colour(&io::stdout()), statistics: arguments.stats };
    let text = |summary: &Summary| scan_text(summary, ScanOptions { text, traces: arguments.traces });
    match summary {
        Ok(summary) => conclude(&summary, arguments.format, text, scan_json),
        Err(error) => refuse(&error),
    }
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
