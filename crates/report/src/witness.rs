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
    /// SHA-256 of the program's text.
    pub file_hash: String,
}

/// The witness for a verdict; there is none where nothing is known.
pub fn witness(report: &Report, stamp: &Stamp) -> Option<String> {
    let mut out = String::new();
    match &report.outcome {
        Outcome::Unknown(_) => return None,
        Outcome::Holds(certificate) => {
            header("invariant_set", report, stamp, &mut out);
            let told = certificate.invariants.iter().filter(|one| is_in(one.place, report));
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
            for input in violation.inputs.iter().filter(|input| is_in(input.place, report)).take(MOST_INPUTS) {
                returned(input, report, &mut out);
            }
            target(violation, report, &mut out);
        }
    }
    Some(out)
}

/// Whether a place is in the file that the witness is about.
fn is_in(place: Place, report: &Report) -> bool {
    let name = |path: &str| path.rsplit('/').next().map(str::to_string);
    name(place.file.as_str()) == name(&report.file)
}

fn header(entry_type: &str, report: &Report, stamp: &Stamp, out: &mut String) {
    let file = quoted(&report.file);
    let properties = report.properties.iter().map(|property| property.ltl(report.entry));
    let specification = quoted(&properties.collect::<Vec<_>>().join("\n"));
    let Stamp { uuid, creation_time, file_hash } = stamp;
    let _ = write!(
        out,
        "- entry_type: {entry_type}\n  metadata:\n    format_version: \"2.0\"\n    uuid: {uuid}\n    \
         creation_time: {}\n    producer:\n      name: {}\n      version: {}\n    task:\n      input_files:\n      - {file}\n      \
         input_file_hashes:\n        {file}: {file_hash}\n      specification: {specification}\n      \
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
    let file = quoted(&report.file);
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
    let _ = writeln!(out, "  - segment:\n    - waypoint:\n{WAYPOINT}type: function_return\n{WAYPOINT}action: follow");
    location(input.place, input.end_column, input.caller.as_str(), report, WAYPOINT, out);
    let value = quoted(&format!("\\result == {value}"));
    let _ = writeln!(out, "{WAYPOINT}constraint:\n{WAYPOINT}  value: {value}\n{WAYPOINT}  format: acsl_expression");
}

fn target(violation: &Violation, report: &Report, out: &mut String) {
    let _ = writeln!(out, "  - segment:\n    - waypoint:\n{WAYPOINT}type: target\n{WAYPOINT}action: follow");
    if let Some(place) = violation.place {
        let function = violation.steps.last().map_or(report.entry, |step| step.function);
        location(place, place.column, function.as_str(), report, WAYPOINT, out);
    }
}
