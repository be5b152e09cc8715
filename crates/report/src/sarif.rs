//! The report in SARIF 2.1.0, which editors and code hosts read. A violation is a result whose execution is a code flow; a check that
//! is open is a result of that kind.

use crate::causes::sentence;
use crate::json::verdicts;
use crate::notation::{changes, verdict};
use crate::{TOOL, checks};
use driver::report::{Check, CheckVerdict, Event, Finding, Objects, Outcome, Report, Summary, TraceStep, Violation};
use ir::Assumption;
use serde_json::{Value as Json, json};
use source::Place;
use std::collections::BTreeSet;

/// The report as one SARIF document, ending with a newline.
pub fn sarif(report: &Report) -> String {
    document(&[report], &[])
}

/// The reports about all properties as one SARIF document.
pub fn summary_sarif(summary: &Summary) -> String {
    document(&summary.findings.iter().flat_map(Finding::reports).collect::<Vec<_>>(), &summary.findings)
}

/// One run with the results of several reports about one program. Checks that are open are results, too, of a kind of their own;
/// what is proved is in the list of all checks alone.
fn document(reports: &[&Report], findings: &[Finding]) -> String {
    let result_of = |report: &&Report| match &report.outcome {
        Outcome::Violated(violation) => Some(result(violation)),
        Outcome::Holds(_) | Outcome::Unknown(_) => None,
    };
    let open = findings.iter().flat_map(|finding| finding.checks.iter().filter_map(open));
    let results: Vec<Json> = reports.iter().filter_map(result_of).chain(open).collect();
    let is_unknown = |report: &&Report| matches!(report.outcome, Outcome::Unknown(_));
    let unknown = reports.iter().any(is_unknown);
    let mut asked: Vec<String> =
        reports.iter().flat_map(|report| &report.properties).map(ToString::to_string).collect();
    asked.dedup();
    let rules: Vec<Json> = asked.into_iter().map(|id| json!({"id": id})).collect();
    let notification = |report: &&Report| {
        let level = if is_unknown(report) { "warning" } else { "note" };
        json!({"level": level, "message": {"text": verdict(report)}})
    };
    let assumptions: BTreeSet<&Assumption> = reports.iter().flat_map(|report| &report.assumptions).collect();
    let assumed = assumptions.iter().map(|assumption| {
        let mut told = json!({
            "level": "note",
            "descriptor": {"id": format!("assumption/{}", assumption.kind)},
            "message": {"text": format!("assuming: {}", assumption.text)},
        });
        if let Some(place) = assumption.place {
            told["locations"] = json!([physical(place)]);
        }
        told
    });
    let notifications: Vec<Json> = assumed.chain(reports.iter().map(notification)).collect();
    let texts: Vec<&str> = assumptions.iter().map(|assumption| assumption.text.as_str()).collect();
    let file = reports.first().map_or("", |report| &report.file);
    let mut properties = json!({"assumptions": texts});
    if !findings.is_empty() {
        properties["checks"] = findings
            .iter()
            .flat_map(|finding| {
                let verdicts = verdicts(finding);
                verdicts.as_array().cloned().unwrap_or_default()
            })
            .collect();
    }
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": TOOL.0,
                "version": TOOL.1,
                "rules": rules,
            }},
            "invocations": [{"executionSuccessful": !unknown, "toolExecutionNotifications": notifications}],
            "artifacts": [{"location": {"uri": uri(file)}}],
            "results": results,
            "properties": properties,
            "columnKind": "unicodeCodePoints",
        }],
    });
    format!("{document:#}\n")
}

/// A check that is open as a result.
fn open(check: &Check) -> Option<Json> {
    let CheckVerdict::Open(open) = &check.verdict else { return None };
    Some(json!({
        "ruleId": check.property.to_string(),
        "kind": "open",
        "level": "none",
        "message": {"text": format!("{}: not decided: {}", check.text, checks::why(open))},
        "locations": check.place.map(physical).into_iter().collect::<Vec<_>>(),
    }))
}

fn result(violation: &Violation) -> Json {
    let flows = violation.steps.chunk_by(|a, b| a.thread == b.thread);
    let mut threads: Vec<(u32, Vec<Json>)> = Vec::new();
    let mut order = 0;
    for steps in flows {
        for step in steps.iter().filter(|step| step.place.is_some()) {
            order += 1;
            let flow = flow_location(step, order, &violation.objects);
            match threads.iter_mut().find(|(thread, _)| *thread == step.thread) {
                Some((_, flows)) => flows.push(flow),
                None => threads.push((step.thread, vec![flow])),
            }
        }
    }
    let threads: Vec<Json> = threads
        .into_iter()
        .map(|(thread, locations)| json!({"id": format!("thread {thread}"), "locations": locations}))
        .collect();
    let mut result = json!({
        "ruleId": violation.property.to_string(),
        "level": "error",
        "message": {"text": violation.text.as_str()},
        "locations": violation.place.map(physical).into_iter().collect::<Vec<_>>(),
    });
    let related: Vec<Json> = violation
        .causes
        .sets
        .iter()
        .flat_map(|cause| {
            cause.suspects.iter().map(move |suspect| {
                let mut location = physical(suspect.place);
                let reason = sentence(suspect, cause, &violation.objects);
                location["message"] = json!({"text": format!("likely cause: {reason}")});
                location
            })
        })
        .collect();
    if !related.is_empty() {
        result["relatedLocations"] = json!(related);
    }
    if !threads.is_empty() {
        result["codeFlows"] = json!([{"threadFlows": threads}]);
    }
    result
}

fn flow_location(step: &TraceStep, order: usize, objects: &Objects) -> Json {
    let text = match &step.event {
        Event::Branch => String::new(),
        Event::Assign(all) | Event::Choose(all) => changes(all, objects),
        Event::Call { function, arguments } => format!("{function}({})", changes(arguments, objects)),
        Event::Return { function, results } => format!("{function} returns {}", changes(results, objects)),
        Event::Start { thread, function } => format!("starts thread {thread}: {function}"),
    };
    let mut location = step.place.map(physical).unwrap_or_default();
    if !text.is_empty() {
        location["message"] = json!({"text": text.trim_end()});
    }
    json!({"location": location, "executionOrder": order, "nestingLevel": step.depth})
}

fn physical(place: Place) -> Json {
    json!({"physicalLocation": {
        "artifactLocation": {"uri": uri(place.file.as_str())},
        "region": {"startLine": place.line, "startColumn": place.column},
    }})
}

/// A path as a URI reference: everything outside the unreserved characters and `/` is escaped.
fn uri(path: &str) -> String {
    let escape = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    let escaped: String = path.bytes().map(escape).collect();
    if escaped.starts_with('/') { format!("file://{escaped}") } else { escaped }
}
