//! What a scan found: tables by kind of property and by function, what is violated, and what is open.

use crate::checks::{details, is_in_library, proved as proved_checks};
use crate::json::{summary_document, tally};
use crate::summary::summary_verdict;
use crate::text::{TextOptions, assumptions, diagnostic, statistics, violation};
use driver::report::{Check, Finding, Summary, Tally};
use ir::Assumption;
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::time::Duration;

/// What to show of a scan beyond the tables.
#[derive(Clone, Copy, Default, Debug)]
pub struct ScanOptions {
    pub text: TextOptions,
    /// Every violation with its execution, and not only where it is.
    pub traces: bool,
}

/// Renders a scan, ending with the line that states the worst verdict.
pub fn scan_text(summary: &Summary, options: ScanOptions) -> String {
    let mut out = String::new();
    let reports = || summary.findings.iter().flat_map(Finding::reports);
    let remarks: BTreeSet<&String> = reports().flat_map(|report| &report.remarks).collect();
    remarks.iter().for_each(|remark| {
        let _ = writeln!(out, "note: {remark}");
    });
    let mut told: BTreeSet<String> = BTreeSet::new();
    for report in reports() {
        let Some(violated) = report.violated() else { continue };
        let place = source::render(&diagnostic(violated), &report.sources, options.text.colour);
        // Several functions of a library may come to one place.
        if told.insert(place.clone()) {
            let text = if options.traces { violation(violated, report, options.text) } else { place };
            let _ = writeln!(out, "{text}");
        }
    }
    if options.text.statistics {
        summary.findings.iter().for_each(|finding| out.push_str(&statistics(&finding.report)));
    }
    let merged = summary.merged();
    let properties = by_property(summary, &merged);
    if properties.iter().any(|row| !row.name.is_empty()) {
        table("property", &properties, true, &mut out);
        out.push('\n');
    }
    if !merged.is_empty() {
        table("function", &by_function(&merged), false, &mut out);
        let _ = write!(out, "\n{}", details(summary));
    }
    let rests_on: BTreeSet<&Assumption> = reports().flat_map(|report| &report.assumptions).collect();
    let _ = writeln!(out, "\n{}{}", assumptions(rests_on), summary_verdict(summary));
    out
}

/// The scan as one JSON document: that of a check of all properties, with tables.
pub fn scan_json(summary: &Summary) -> String {
    let merged = summary.merged();
    let mut document = summary_document(summary);
    let rows = |name: &str, rows: &[Row]| -> Json {
        let row = |row: &Row| {
            let mut told = tally(&row.tally);
            told[name] = json!(row.name);
            if let Some(time) = row.time {
                told["seconds"] = json!(time.as_secs_f64());
            }
            told
        };
        rows.iter().map(row).collect()
    };
    document["summary"] = tally(&Tally::of(merged.iter().copied()));
    document["by_property"] = rows("property", &by_property(summary, &merged));
    document["by_function"] = rows("function", &by_function(&merged));
    format!("{document:#}\n")
}

/// A line of a table.
struct Row {
    name: String,
    tally: Tally,
    time: Option<Duration>,
}

/// One line for each property that was looked at.
fn by_property(summary: &Summary, merged: &[&Check]) -> Vec<Row> {
    let mut times: BTreeMap<String, Duration> = BTreeMap::new();
    let mut order: Vec<String> = Vec::new();
    for finding in &summary.findings {
        let names: Vec<String> = finding.report.properties.iter().map(ToString::to_string).collect();
        let name = names.join(", ");
        if !order.contains(&name) {
            order.push(name.clone());
        }
        *times.entry(name).or_default() += finding.time;
    }
    let row = |name: String| {
        let is_of = |check: &&&Check| name.split(", ").any(|property| property == check.property.to_string());
        let tally = Tally::of(merged.iter().filter(is_of).copied());
        Row { tally, time: times.get(&name).copied(), name }
    };
    order.into_iter().map(row).collect()
}

/// One line for each function with checks, those with most open ones and violations first.
fn by_function(merged: &[&Check]) -> Vec<Row> {
    let mut functions: BTreeMap<&str, Vec<&Check>> = BTreeMap::new();
    for check in merged {
        let name = match check.function {
            _ if is_in_library(check) => "(library)",
            Some(name) => name.as_str(),
            None => "(start)",
        };
        functions.entry(name).or_default().push(check);
    }
    let row =
        |(name, checks): (&str, Vec<&Check>)| Row { name: name.to_string(), tally: Tally::of(checks), time: None };
    let mut rows: Vec<Row> = functions.into_iter().map(row).collect();
    rows.sort_by_key(|row| std::cmp::Reverse((row.tally.refuted, row.tally.open)));
    rows
}

/// A table with a last line for all.
fn table(name: &str, rows: &[Row], has_time: bool, out: &mut String) {
    let mut lines = vec![[name, "checks", "proved", "by analyses", "refuted", "unknown", "time"].map(str::to_string)];
    let line = |name: &str, tally: &Tally, time: Option<Duration>| {
        let time = time.map(|time| format!("{:.1} s", time.as_secs_f64())).unwrap_or_default();
        let number = |count: usize| count.to_string();
        let Tally { without_search, refuted, open, .. } = *tally;
        [
            name.to_string(),
            number(tally.all()),
            proved_checks(tally),
            number(without_search),
            number(refuted),
            number(open),
            time,
        ]
    };
    lines.extend(rows.iter().map(|row| line(&row.name, &row.tally, row.time)));
    let all = rows.iter().fold(Tally::default(), |sum, row| sum.plus(&row.tally));
    lines.push(line("all", &all, has_time.then(|| rows.iter().filter_map(|row| row.time).sum())));
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..7).map(width).collect();
    for line in &lines {
        let mut text = format!("{:1$}", line[0], widths[0]);
        for (cell, width) in line.iter().zip(&widths).skip(1).take(if has_time { 6 } else { 5 }) {
            let _ = write!(text, "  {cell:>width$}");
        }
        let _ = writeln!(out, "{}", text.trim_end());
    }
}
