//! The report as Corral prints it, for tools that read that: SMACK's wrapper, above all.
//!
//! What such tools look for are the words `no bugs`, `can fail`, `timed out` and `ASSERTION FAILS`, and lines of the form
//! `file(line,column): Trace: Thread=1  (what happens)`. Threads count from 1.

use crate::notation::changes;
use driver::report::{Event, Outcome, Report, TraceStep, Violation};
use engine::Reason;
use source::Place;
use std::fmt::Write;

/// What to print of an execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CorralOptions {
    /// Whether it is printed at all.
    pub trace: bool,
    /// Whether it is told as one of the program that the Boogie program was made of: without the variables that only the
    /// Boogie program has.
    pub of_source: bool,
    /// Whether values are printed.
    pub values: bool,
}

/// Renders the report.
pub fn corral(report: &Report, options: CorralOptions) -> String {
    let mut out = String::new();
    for remark in &report.remarks {
        let _ = writeln!(out, "note: {remark}");
    }
    match &report.outcome {
        Outcome::Holds(_) => out.push_str("Program has no bugs\n"),
        Outcome::Violated(violation) => violated(violation, options, &mut out),
        Outcome::Unknown(Reason::BoundReached(bounds)) => {
            out.push_str("Program has no bugs\n");
            for (name, bound) in bounds {
                let _ = writeln!(out, "Reached {name} bound of {bound}");
            }
        }
        Outcome::Unknown(Reason::Timeout) => out.push_str("Fathom timed out\n"),
        Outcome::Unknown(reason) => {
            let _ = writeln!(out, "Stopping: {reason}");
        }
    }
    out
}

fn violated(violation: &Violation, options: CorralOptions, out: &mut String) {
    let last = violation.steps.iter().rev().find(|step| step.place.is_some());
    let place = violation.place.or(last.and_then(|step| step.place));
    if let Some(place) = place {
        let _ = writeln!(out, "{}({},1): error PF5001: This assertion can fail\n", place.file, place.line);
    }
    if options.trace {
        let mut printed = String::new();
        for step in &violation.steps {
            let line = step.place.map(|place| line(place, step.thread, &told(step, violation, options)));
            if let Some(line) = line.filter(|line| *line != printed) {
                out.push_str(&line);
                printed = line;
            }
        }
        if let Some(place) = place {
            let what = violation.text.as_str();
            let condition = what.strip_prefix("assertion ").unwrap_or(what);
            let thread = last.map_or(0, |step| step.thread);
            out.push_str(&line(place, thread, &format!("ASSERTION FAILS assert {condition};\n ")));
        }
    }
    out.push_str("Program has a potential bug: True bug\n");
}

fn line(place: Place, thread: u32, what: &str) -> String {
    format!("{}({},{}): Trace: Thread={}  ({what})\n", place.file, place.line, place.column, thread + 1)
}

/// What a step does, in Corral's words.
fn told(step: &TraceStep, violation: &Violation, options: CorralOptions) -> String {
    match &step.event {
        Event::Assign(assigned) | Event::Choose(assigned) if options.values => {
            let mut shown = assigned.clone();
            if options.of_source {
                shown.retain(|change| change.name.is_some_and(|name| !name.as_str().starts_with('$')));
            }
            changes(&shown, &violation.objects)
        }
        Event::Assign(_) | Event::Choose(_) | Event::Branch => String::new(),
        Event::Call { function, .. } => format!("CALL {function}"),
        Event::Return { function, .. } => format!("RETURN from {function}"),
        Event::Start { function, .. } => format!("FORK {function}"),
    }
}
