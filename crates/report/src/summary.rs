//! The report for people about all properties: executions first, then a table of the verdicts, then the worst of them.

use crate::checks::{MARK, checks, counts, details};
use crate::notation::{short_place, verdict};
use crate::text::{TextOptions, assumptions, statistics, violation};
use driver::property::Property;
use driver::report::{Finding, Outcome, Report, Summary, Tally};
use engine::Reason;
use ir::Assumption;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Renders the summary, ending with the line that states the worst verdict.
pub fn summary_text(summary: &Summary, options: TextOptions) -> String {
    let mut out = String::new();
    let reports = || summary.findings.iter().map(|finding| &finding.report);
    let mut remarks: Vec<&String> = reports().flat_map(|report| &report.remarks).collect();
    remarks.dedup();
    for remark in remarks {
        let _ = writeln!(out, "note: {remark}");
    }
    for report in summary.findings.iter().flat_map(Finding::reports) {
        if let Some(violated) = report.violated() {
            let _ = writeln!(out, "{}", violation(violated, report, options));
        }
    }
    if options.statistics {
        for report in reports() {
            let _ = writeln!(out, "{}{}", names(report), statistics(report));
        }
    }
    table(summary, &mut out);
    let details = details(summary);
    if !details.is_empty() {
        let _ = write!(out, "\n{details}");
    }
    let rests_on: BTreeSet<&Assumption> = reports().flat_map(|report| &report.assumptions).collect();
    let _ = writeln!(out, "\n{}{}", assumptions(rests_on), summary_verdict(summary));
    out
}

/// The last line.
pub fn summary_verdict(summary: &Summary) -> String {
    let Some(worst) = summary.worst() else { return "Verdict: TRUE".to_string() };
    let tally = Tally::of(summary.merged());
    match (&worst.outcome, verdict(worst)) {
        (Outcome::Unknown(reason), line) if tally.open > 0 && *reason != Reason::Cancelled => {
            let line = line.strip_suffix(')').unwrap_or(&line).to_string();
            format!("{line}; {} of {} are open)", tally.open, checks(tally.all()))
        }
        (_, line) => line,
    }
}

fn names(report: &Report) -> String {
    report.properties.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// One line for each property, of each function in a library, and one for each further place where it is violated.
fn table(summary: &Summary, out: &mut String) {
    let entries: BTreeSet<&str> = summary.findings.iter().map(|finding| finding.report.entry.as_str()).collect();
    let is_library = entries.len() > 1 || entries.iter().any(|entry| *entry != "main");
    let mut rows = vec![["function", "property", "checks", "verdict", "where"].map(str::to_string)];
    // A library has too many properties of functions to show those that nothing could violate.
    let is_empty = |finding: &Finding| finding.checks.is_empty() && matches!(finding.report.outcome, Outcome::Holds(_));
    let is_shown = |finding: &&Finding| !is_empty(finding) || summary.findings.len() == entries.len() || !is_library;
    let hidden = summary.findings.len() - summary.findings.iter().filter(is_shown).count();
    for finding in summary.findings.iter().filter(is_shown) {
        let report = &finding.report;
        let (word, first) = match &report.outcome {
            Outcome::Holds(_) if summary.accesses_not_proved(finding).is_empty() => ("TRUE", String::new()),
            Outcome::Holds(_) => ("TRUE*", String::new()),
            Outcome::Violated(_) => ("FALSE", place(report)),
            Outcome::Unknown(reason) => {
                let reason = reason.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
                let tally = Tally::of(&finding.checks);
                let told = if tally.proved > 0 { format!("; {}", counts(&tally)) } else { String::new() };
                ("UNKNOWN", reason + &told)
            }
        };
        rows.push([report.entry.to_string(), names(report), finding.checks.len().to_string(), word.to_string(), first]);
        for other in &finding.others {
            rows.push([String::new(), String::new(), String::new(), String::new(), place(other)]);
        }
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2), width(3)];
    for [function, property, checks, word, at] in &rows {
        let function = if is_library { format!("{function:0$}  ", widths[0]) } else { String::new() };
        let line = format!("{function}{property:0$}  {checks:>1$}  {word:2$}  {at}", widths[1], widths[2], widths[3]);
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out.push_str(&within_objects(summary));
    if hidden > 0 {
        let _ = writeln!(out, "{hidden} lines are left out: TRUE, because nothing was to check");
    }
}

/// What a marked TRUE does not cover.
fn within_objects(summary: &Summary) -> String {
    let holds = |finding: &&Finding| matches!(finding.report.outcome, Outcome::Holds(_));
    let open: BTreeSet<Property> =
        summary.findings.iter().filter(holds).flat_map(|finding| summary.accesses_not_proved(finding)).collect();
    let names: Vec<String> = open.iter().map(ToString::to_string).collect();
    match &names[..] {
        [] => String::new(),
        names => format!(
            "{MARK} of executions in which no access leaves its object: {} {} not proved\n",
            names.join(" and "),
            if names.len() == 1 { "is" } else { "are" }
        ),
    }
}

/// Where a property is violated, and how.
fn place(report: &Report) -> String {
    let Some(violation) = report.violated() else { return String::new() };
    let place = violation.place.map(|place| format!("{}: ", short_place(place))).unwrap_or_default();
    format!("{place}{}", violation.text)
}
