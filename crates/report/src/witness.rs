//! Witnesses in SV-COMP's format 2.0.
//!
//! A violation is told by the values that functions of the environment return, in order, and by the place of the violation;
//! a proof by those of its invariants that can be said of the source.

use crate::TOOL;
use crate::literal::result_of;
use driver::inputs::Input;
use driver::report::{Outcome, Report, Violation};
use driver::witness::invariants::SourceInvariant;
use source::Place;
use std::fmt::Write;

/// What a witness says about itself and its task, beside what the report knows.
#[derive(Clone, Debug)]
pub struct Stamp {
    pub uuid: String,
    /// As ISO 8601 writes it.
    pub creation_time: String,
    /// SHA-256 of the program's files.
    pub file_hashes: Vec<String>,
}

/// The witness for a verdict; there is none where nothing is known.
pub fn witness(report: &Report, stamp: &Stamp) -> Option<String> {
    let mut out = String::new();
    match &report.outcome {
        Outcome::Unknown(_) => return None,
        Outcome::Holds(certificate) => {
            header("invariant_set", report, stamp, &mut out);
            let told = certificate.invariants.iter().filter(|one| file_of(one.place, report).is_some());
            let told: Vec<&SourceInvariant> = told.collect();
            out.push_str(if told.is_empty() { "  content: []\n" } else { "  content:\n" });
            for invariant in told {
                let _ = writeln!(out, "  - invariant:\n      type: loop_invariant");
                let SourceInvariant { place, function, expression } = invariant;
                location(*place, place.column, function.as_str(), report, "      ", &mut out);
                let _ = writeln!(out, "      value: {}\n      format: c_expression", quoted(expression));
            }
        }
        Outcome::Violated(violation) => {
            header("violation_sequence", report, stamp, &mut out);
            out.push_str("  content:\n");
            for input in violation.inputs.iter().take(MOST_INPUTS) {
                returned(input, report, &mut out);
            }
            target(violation, report, &mut out);
        }
    }
    Some(out)
}

/// The files that the witness is about.
fn files(report: &Report) -> impl Iterator<Item = String> {
    let linked = report.linked.iter().map(|path| path.to_string_lossy().into_owned());
    std::iter::once(report.file.clone()).chain(linked)
}

/// The file of those that a place is in: where it can be told only by its last part, by that.
fn file_of(place: Place, report: &Report) -> Option<String> {
    let name = |path: &str| path.rsplit('/').next().map(str::to_string);
    let own = place.file.as_str();
    files(report).find(|file| file == own).or_else(|| files(report).find(|file| name(file) == name(own)))
}

fn header(entry_type: &str, report: &Report, stamp: &Stamp, out: &mut String) {
    let inputs: String = files(report).map(|file| format!("      - {}\n", quoted(&file))).collect();
    let hashes = files(report).zip(&stamp.file_hashes);
    let hashes: String = hashes.map(|(file, hash)| format!("        {}: {hash}\n", quoted(&file))).collect();
    let properties = report.properties.iter().map(|property| property.ltl(report.entry));
    let specification = quoted(&properties.collect::<Vec<_>>().join("\n"));
    let Stamp { uuid, creation_time, .. } = stamp;
    let _ = write!(
        out,
        "- entry_type: {entry_type}\n  metadata:\n    format_version: \"2.0\"\n    uuid: {uuid}\n    \
         creation_time: {}\n    producer:\n      name: {}\n      version: {}\n    task:\n      input_files:\n{inputs}      \
         input_file_hashes:\n{hashes}      specification: {specification}\n      \
         data_model: {}\n      language: C\n",
        quoted(creation_time),
        quoted(TOOL.0),
        quoted(TOOL.1),
        report.data_model.name().to_uppercase(),
    );
}

/// What JSON quotes is quoted for YAML, too.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn location(place: Place, column: u32, function: &str, report: &Report, indent: &str, out: &mut String) {
    let file = quoted(&file_of(place, report).unwrap_or_else(|| report.file.clone()));
    let _ = writeln!(
        out,
        "{indent}location:\n{indent}  file_name: {file}\n{indent}  line: {}\n{indent}  column: {column}\n{indent}  \
         function: {}",
        place.line,
        quoted(function),
    );
}

/// A long execution may have more inputs than anyone can read; whoever follows the first ones has to find the others.
const MOST_INPUTS: usize = 10_000;

const WAYPOINT: &str = "        ";

/// A function of the environment returns a value.
fn returned(input: &Input, report: &Report, out: &mut String) {
    let Some(value) = result_of(&input.value, input.function.as_str()) else { return };
    let Some(end_column) = input.end_column.filter(|_| file_of(input.place, report).is_some()) else { return };
    let _ = writeln!(out, "  - segment:\n    - waypoint:\n{WAYPOINT}type: function_return\n{WAYPOINT}action: follow");
    location(input.place, end_column, input.caller.as_str(), report, WAYPOINT, out);
    let value = quoted(&format!("\\result == {value}"));
    let _ = writeln!(out, "{WAYPOINT}constraint:\n{WAYPOINT}  value: {value}\n{WAYPOINT}  format: acsl_expression");
}

fn target(violation: &Violation, report: &Report, out: &mut String) {
    let _ = writeln!(out, "  - segment:\n    - waypoint:\n{WAYPOINT}type: target\n{WAYPOINT}action: follow");
    if let Some(place) = violation.place {
        let function = violation.steps.last().map_or(report.entry, |step| step.function);
        // Where macros have moved it, the line is what can be found in the file.
        let shown = violation.span.map(|span| report.sources.place(span)).filter(|shown| shown.line == place.line);
        let column = shown.map_or(place.column, |shown| shown.column);
        location(place, column, function.as_str(), report, WAYPOINT, out);
    }
}
