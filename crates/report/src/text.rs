//! The report for people: the execution as a debugger would step through it, then what is violated, then the verdict.

use crate::causes;
use crate::checks::what_helps;
use crate::fold::{Item, fold};
use crate::notation::{changes, short_place, verdict};
use driver::report::{Certificate, Event, LeftOut, Objects, Outcome, Report, TraceStep, Violation};
use engine::{Proof, Reason};
use ir::{Assumption, AssumptionKind};
use source::{Diagnostic, Place, Severity, Symbol};
use std::fmt::Write;

/// What to show beyond the answer.
#[derive(Clone, Copy, Default, Debug)]
pub struct TextOptions {
    pub colour: bool,
    pub statistics: bool,
}

/// Renders the report, ending with the line that states the verdict.
pub fn text(report: &Report, options: TextOptions) -> String {
    let mut out = String::new();
    for remark in &report.remarks {
        let _ = writeln!(out, "note: {remark}");
    }
    match &report.outcome {
        Outcome::Holds(certificate) => holds(report, certificate, &mut out),
        Outcome::Violated(violation) => out.push_str(&self::violation(violation, report, options)),
        Outcome::Unknown(reason) => out.push_str(&tried(report, reason)),
    }
    if options.statistics {
        out.push_str(&statistics(report));
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out.push_str(&assumptions(&report.assumptions));
    out.push_str(&verdict(report));
    out.push('\n');
    out
}

/// An execution, and what it violates.
pub(crate) fn violation(violation: &Violation, report: &Report, options: TextOptions) -> String {
    let mut out = String::new();
    trace(violation, &mut out);
    out.push_str(&source::render(&diagnostic(violation), &report.sources, options.colour));
    let causes = causes::text(&violation.causes, &violation.objects);
    if !causes.is_empty() {
        out.push('\n');
        out.push_str(&causes);
    }
    out
}

/// Who tried to decide, and what would help.
fn tried(report: &Report, reason: &Reason) -> String {
    let mut names: Vec<&str> = report.statistics.iter().map(|(name, _)| *name).collect();
    names.sort_unstable();
    names.dedup();
    let helps = what_helps(reason);
    match (&names[..], helps) {
        ([], _) | (_, "") => String::new(),
        (names, helps) => format!("tried: {}; {helps}\n", names.join(", ")),
    }
}

/// Whether an assumption is about the function that execution starts with.
fn is_of_entry(assumption: &Assumption) -> bool {
    matches!(assumption.kind, AssumptionKind::Start | AssumptionKind::OneAtATime)
}

/// One line for each assumption that the verdict rests on. What is assumed of several functions that execution
/// starts with is said once.
pub(crate) fn assumptions<'a>(all: impl IntoIterator<Item = &'a Assumption>) -> String {
    let mut lines: Vec<(&Assumption, Vec<Symbol>)> = Vec::new();
    for assumption in all {
        let is_same = |of: &Assumption| is_of_entry(of) && of.kind == assumption.kind && of.text == assumption.text;
        match lines.iter_mut().find(|(known, _)| is_same(known)) {
            Some((_, functions)) => functions.extend(&assumption.functions),
            None => lines.push((assumption, assumption.functions.clone())),
        }
    }
    let line = |(assumption, functions): (&Assumption, Vec<Symbol>)| {
        let is_told = |place: &Place| assumption.text.as_str().contains(&place.to_string());
        let place = assumption.place.filter(|place| functions.len() < 2 && !is_told(place));
        let place = place.map(|place| format!(" ({})", short_place(place))).unwrap_or_default();
        let about = if is_of_entry(assumption) {
            format!("{}: ", functions.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(", "))
        } else {
            String::new()
        };
        format!("Assuming: {about}{}{place}\n", assumption.text)
    };
    lines.into_iter().map(line).collect()
}

fn holds(report: &Report, certificate: &Certificate, out: &mut String) {
    let why = match &certificate.proof {
        Proof::Unconnected => "no control flow leads to a violation".to_string(),
        Proof::Executed { edges } => {
            format!("nothing is left open, and the only execution ends without a violation ({edges} steps)")
        }
        Proof::Exploration(sets) => format!("all interleavings were explored ({} sets of states)", sets.len()),
        Proof::Shapes(graphs) => format!("all shapes of lists were explored ({} graphs of objects)", graphs.len()),
        Proof::Crowds(sets) => format!("all that threads can do was explored ({} sets of states)", sets.len()),
        Proof::Abstracted { predicates, exploration, .. } => {
            let (predicates, sets) = (predicates.len(), exploration.len());
            format!(
                "all interleavings of an abstraction were explored ({predicates} predicates, {sets} sets of states)"
            )
        }
        Proof::Inlined { bodies, .. } => {
            format!("what can be seen of procedures excludes it ({} of them inlined)", bodies.len().saturating_sub(1))
        }
        Proof::Unwound { parts, by_induction: true, .. } => {
            format!("no state is {parts} blocks away from it, and none of the first {parts} blocks reaches it")
        }
        Proof::Unwound { parts, .. } => format!("all executions end within {parts} blocks"),
        Proof::Invariants(invariants) => format!("an inductive invariant excludes it ({} formulas)", invariants.len()),
        Proof::Folded { folds, invariants, .. } => {
            let (formulas, folds) = (invariants.len(), folds.len());
            format!("an inductive invariant excludes it ({formulas} formulas, with {folds} folds of arrays)")
        }
    };
    let by = report.decided_by.map(|name| format!("{name}: ")).unwrap_or_default();
    let checked = match certificate.checked_by {
        Some(checker) => format!("checked by {checker}"),
        None => "not checked".to_string(),
    };
    let _ = writeln!(out, "{by}{why}; {checked}");
}

pub(crate) fn diagnostic(violation: &Violation) -> Diagnostic {
    let message = format!("{} is violated: {}", violation.property, violation.text);
    match (violation.span, violation.place) {
        (Some(span), _) => Diagnostic::error(span, message),
        (None, Some(place)) => Diagnostic::without_place(Severity::Error, message).note(format!("at {place}")),
        (None, None) => Diagnostic::without_place(Severity::Error, message),
    }
}

/// What was measured, in columns.
pub fn statistics(report: &Report) -> String {
    let mut out = String::new();
    let groups = report.statistics.iter().map(|(name, statistics)| {
        (*name, statistics.iter().map(|(figure, value)| (figure, value.to_string())).collect::<Vec<_>>())
    });
    let phases = report.phases.iter().map(|(phase, time)| (*phase, format!("{:.3} s", time.as_secs_f64()))).collect();
    for (name, figures) in groups.chain([("time", phases)]) {
        if figures.is_empty() {
            continue;
        }
        let _ = writeln!(out, "\n{name}");
        let width = figures.iter().map(|(figure, _)| figure.chars().count()).max().unwrap_or(0);
        for (figure, value) in figures {
            let _ = writeln!(out, "    {figure:width$}  {value:>12}");
        }
    }
    out
}

/// The spaces for each open call, and how many calls are shown by them.
const INDENT: &str = "    ";
const DEEPEST: u32 = 24;

fn indent(step: &TraceStep) -> String {
    INDENT.repeat(step.depth.min(DEEPEST) as usize)
}

fn trace(violation: &Violation, out: &mut String) {
    let mut writer = TraceText::default();
    let (before, after) = violation.steps.split_at(violation.left_out.map_or(0, |left_out| left_out.after));
    part(before, &violation.objects, &mut writer, out);
    if let Some(LeftOut { edges, .. }) = violation.left_out {
        let _ = writeln!(out, "... {edges} steps of the program are not shown");
    }
    part(after, &violation.objects, &mut writer, out);
    if !violation.steps.is_empty() {
        out.push('\n');
    }
}

fn part(steps: &[TraceStep], objects: &Objects, writer: &mut TraceText, out: &mut String) {
    for item in fold(steps) {
        match item {
            Item::Step(at) => out.push_str(&writer.step(&steps[at], objects)),
            Item::Folded { iterations, steps: folded } => {
                out.push_str(&writer.folded(iterations, &steps[folded], objects))
            }
        }
    }
}

/// Tells an execution step by step, as a debugger would.
#[derive(Default, Debug)]
pub struct TraceText {
    thread: Option<u32>,
    /// The activation and line that the reader was told last.
    line: Option<(u32, u32)>,
    out: String,
}

impl TraceText {
    /// The lines that tell of the next step.
    pub fn step(&mut self, step: &TraceStep, objects: &Objects) -> String {
        self.thread(step);
        self.source(step);
        match &step.event {
            Event::Branch => {}
            Event::Assign(all) => self.detail(step, &changes(all, objects)),
            Event::Choose(all) => self.detail(step, &format!("{}  (chosen)", changes(all, objects))),
            Event::Call { function, arguments } => {
                self.detail(step, &format!("{function}({})", changes(arguments, objects)));
            }
            Event::Return { function, results } if results.is_empty() => {
                self.detail(step, &format!("{function} returns"))
            }
            Event::Return { function, results } => {
                self.detail(step, &format!("{function} returns {}", changes(results, objects)));
            }
            Event::Start { thread, function } => self.detail(step, &format!("starts thread {thread}: {function}")),
        }
        std::mem::take(&mut self.out)
    }

    /// Says so when another thread goes on.
    fn thread(&mut self, step: &TraceStep) {
        if self.thread != Some(step.thread) && (self.thread.is_some() || step.thread != 0) {
            let _ = writeln!(self.out, "-- thread {}, in {}", step.thread, step.function);
        }
        if self.thread != Some(step.thread) {
            self.thread = Some(step.thread);
            self.line = None;
        }
    }

    /// The line of source text, unless it was just shown.
    fn source(&mut self, step: &TraceStep) {
        let Some(place) = step.place else { return };
        if self.line == Some((step.frame, place.line)) {
            return;
        }
        self.line = Some((step.frame, place.line));
        let text = step.line.map(|line| format!("  {line}")).unwrap_or_default();
        let _ = writeln!(self.out, "{}{}{text}", indent(step), short_place(place));
    }

    fn detail(&mut self, step: &TraceStep, text: &str) {
        let _ = writeln!(self.out, "{}  => {text}", indent(step));
    }

    /// One line for many iterations, with the values that they leave behind.
    fn folded(&mut self, iterations: usize, steps: &[TraceStep], objects: &Objects) -> String {
        let Some(first) = steps.first() else { return String::new() };
        let plural = if iterations == 1 { "" } else { "s" };
        let indent = indent(first);
        let mut left = Vec::new();
        for step in steps.iter().filter(|step| step.frame == first.frame) {
            let (Event::Assign(all) | Event::Choose(all)) = &step.event else { continue };
            for change in all {
                left.retain(|old: &driver::report::Change| old.name != change.name);
                left.push(change.clone());
            }
        }
        self.line = None;
        let left = if left.is_empty() { String::new() } else { format!(": {}", changes(&left, objects)) };
        format!("{indent}... {iterations} more iteration{plural}{left}\n")
    }
}
