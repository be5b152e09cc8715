//! The report for programs. docs/json.md describes the schema; a change that an old reader would misunderstand gets a new
//! [`SCHEMA`] number.

use crate::causes::sentence;
use crate::notation::value;
use crate::{TOOL, checks};
use driver::report::{
    Cause, Change, Check, CheckVerdict, Event, Finding, LeftOut, Objects, Outcome, Report, Summary, Suspect, Tally,
    TraceStep, Violation,
};
use engine::{Proof, Reason, Statistic, Statistics};
use ir::Assumption;
use serde_json::{Map, Value as Json, json};
use source::Place;

const SCHEMA: u32 = 1;

/// The report as one JSON document, ending with a newline.
pub fn json(report: &Report) -> String {
    format!("{:#}\n", document(report))
}

/// The reports about all properties as one JSON document, ending with a newline.
pub fn summary_json(summary: &Summary) -> String {
    format!("{:#}\n", summary_document(summary))
}

pub(crate) fn summary_document(summary: &Summary) -> Json {
    let finding = |finding: &Finding| {
        let mut found = document(&finding.report);
        found["checks"] = json!(finding.checks.len());
        found["verdicts"] = verdicts(finding);
        let beyond = summary.accesses_not_proved(finding);
        if matches!(finding.report.outcome, Outcome::Holds(_)) && !beyond.is_empty() {
            found["provided"] = json!(beyond.iter().map(ToString::to_string).collect::<Vec<_>>());
        }
        found["other_violations"] = finding.others.iter().filter_map(|other| other.violated().map(violation)).collect();
        found
    };
    let worst = summary.worst().map_or("TRUE", |report| word(&report.outcome));
    json!({
        "schema": SCHEMA,
        "tool": {"name": TOOL.0, "version": TOOL.1},
        "verdict": worst,
        "summary": tally(&Tally::of(summary.findings.iter().flat_map(|finding| &finding.checks))),
        "results": summary.findings.iter().map(finding).collect::<Vec<_>>(),
    })
}

/// The verdicts on all checks of a finding.
pub(crate) fn verdicts(finding: &Finding) -> Json {
    let verdict = |check: &Check| {
        let mut told = json!({
            "id": checks::name(check),
            "property": check.property.to_string(),
            "text": check.text.as_str(),
            "place": place(check.place),
            "function": check.function.map(|function| function.as_str()),
            "verdict": check.verdict.word(),
        });
        match &check.verdict {
            CheckVerdict::Proved { by, provided } => {
                told["decided_by"] = json!(by);
                if !provided.is_nothing() {
                    told["provided"] = json!({
                        "checks": checks::names(finding, provided),
                        "count": provided.count,
                        "unsupported": provided.unsupported.as_ref().map(ToString::to_string),
                    });
                }
            }
            CheckVerdict::Refuted => {}
            CheckVerdict::Open(open) => {
                told["reason"] = json!({"kind": reason_kind(&open.reason), "text": checks::why(open)});
                told["tried"] = json!(open.tried);
                told["seconds"] = json!(open.time.as_secs_f64());
            }
        }
        told
    };
    finding.checks.iter().map(verdict).collect()
}

pub(crate) fn tally(tally: &Tally) -> Json {
    let Tally { proved, provided, without_search, refuted, open } = *tally;
    json!({
        "checks": tally.all(),
        "proved": proved,
        "provided": provided,
        "without_search": without_search,
        "refuted": refuted,
        "open": open,
    })
}

fn word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Holds(_) => "TRUE",
        Outcome::Violated(_) => "FALSE",
        Outcome::Unknown(_) => "UNKNOWN",
    }
}

fn document(report: &Report) -> Json {
    let mut document = json!({
        "schema": SCHEMA,
        "tool": {"name": TOOL.0, "version": TOOL.1},
        "file": report.file,
        "data_model": report.data_model.name(),
        "entry": report.entry.as_str(),
        "verdict": word(&report.outcome),
        "properties": report.properties.iter().map(|property| property.to_string()).collect::<Vec<_>>(),
        "decided_by": report.decided_by,
        "assumptions": report.assumptions.iter().map(assumption).collect::<Vec<_>>(),
        "unknown_functions": report.unknown_functions.iter()
            .map(|function| json!({"name": function.name.as_str(), "place": place(function.place)}))
            .collect::<Vec<_>>(),
        "remarks": report.remarks,
        "statistics": report.statistics.iter()
            .map(|(engine, figures)| (engine.to_string(), statistics(figures)))
            .collect::<Map<_, _>>(),
        "seconds": report.phases.iter()
            .map(|(phase, time)| (phase.to_string(), json!(time.as_secs_f64())))
            .collect::<Map<_, _>>(),
    });
    match &report.outcome {
        Outcome::Holds(certificate) => {
            document["proof"] = match &certificate.proof {
                Proof::Unconnected => json!({"kind": "unconnected"}),
                Proof::Executed { edges } => json!({"kind": "executed", "edges": edges}),
                Proof::Exploration(sets) => json!({"kind": "exploration", "sets": sets.len()}),
                Proof::Shapes(graphs) => json!({"kind": "shapes", "graphs": graphs.len()}),
                Proof::Crowds(sets) => json!({"kind": "crowds", "sets": sets.len()}),
                Proof::Abstracted { predicates, exploration, .. } => {
                    json!({"kind": "abstraction", "predicates": predicates.len(), "sets": exploration.len()})
                }
                Proof::Inlined { bodies, summaries } => {
                    json!({"kind": "inlined", "procedures": bodies.len(), "summaries": summaries.len()})
                }
                Proof::Unwound { parts, by_induction, .. } => {
                    json!({"kind": "unwound", "blocks": parts, "by_induction": by_induction})
                }
                Proof::Invariants(invariants) => json!({"kind": "invariants", "formulas": invariants.len()}),
                Proof::Folded { folds, invariants, .. } => {
                    json!({"kind": "invariants", "formulas": invariants.len(), "folds": folds.len()})
                }
            };
            document["proof"]["checked_by"] = json!(certificate.checked_by);
        }
        Outcome::Violated(violation) => {
            document["violation"] = self::violation(violation);
        }
        Outcome::Unknown(reason) => {
            document["reason"] = json!({"kind": reason_kind(reason), "text": reason.to_string()});
        }
    }
    document
}

fn assumption(assumption: &Assumption) -> Json {
    json!({
        "kind": assumption.kind.name(),
        "text": assumption.text.as_str(),
        "functions": assumption.functions.iter().map(|function| function.as_str()).collect::<Vec<_>>(),
        "place": place(assumption.place),
    })
}

fn reason_kind(reason: &Reason) -> &'static str {
    match reason {
        Reason::Timeout => "timeout",
        Reason::Memory => "memory",
        Reason::BoundReached(_) => "bound-reached",
        Reason::Unsupported { .. } => "unsupported",
        Reason::NoProgress(_) => "no-progress",
        Reason::Cancelled => "cancelled",
        Reason::Internal(_) => "internal-error",
        Reason::NotAttempted(_) => "not-attempted",
    }
}

fn statistics(figures: &Statistics) -> Json {
    let figure = |figure: &Statistic| match figure {
        Statistic::Count(n) => json!(n),
        Statistic::Time(t) => json!(t.as_secs_f64()),
        Statistic::Ratio(r) => json!(r),
        Statistic::Text(t) => json!(t),
    };
    Json::Object(figures.iter().map(|(name, value)| (name.to_string(), figure(value))).collect())
}

fn place(place: Option<Place>) -> Json {
    place.map_or(Json::Null, |place| json!({"file": place.file.as_str(), "line": place.line, "column": place.column}))
}

fn violation(violation: &Violation) -> Json {
    let mut document = json!({
        "property": violation.property.to_string(),
        "text": violation.text.as_str(),
        "place": place(violation.place),
        "steps": violation.steps.iter().map(|step| self::step(step, &violation.objects)).collect::<Vec<_>>(),
    });
    if let Some(LeftOut { after, edges }) = violation.left_out {
        document["left_out"] = json!({"after": after, "edges": edges});
    }
    let cause = |cause: &Cause| {
        let suspect = |suspect: &Suspect| {
            json!({
                "function": suspect.function.as_str(),
                "place": place(suspect.place.into()),
                "source": suspect.line.map(|line| line.as_str()),
                "statement": suspect.text.map(|text| text.as_str()),
                "reason": sentence(suspect, cause, &violation.objects),
                "repair": suspect.repair.as_ref().map(|repair| json!({
                    "statement": repair.text.map(|text| text.as_str()),
                    "other_executions": repair.others,
                })),
            })
        };
        json!({"statements": cause.suspects.iter().map(suspect).collect::<Vec<_>>(), "condition_reached": cause.checked})
    };
    document["likely_causes"] = violation.causes.sets.iter().map(cause).collect();
    document
}

fn step(step: &TraceStep, objects: &Objects) -> Json {
    let changes = |all: &[Change]| {
        let one = |change: &Change| {
            json!({
                "name": change.name.map(|name| name.as_str()),
                "type": change.type_name.map(|name| name.as_str()),
                "value": value(&change.value, change.type_name, objects),
            })
        };
        all.iter().map(one).collect::<Vec<_>>()
    };
    let event = match &step.event {
        Event::Branch => json!({"kind": "branch"}),
        Event::Assign(all) => json!({"kind": "assign", "values": changes(all)}),
        Event::Choose(all) => json!({"kind": "choose", "values": changes(all)}),
        Event::Call { function, arguments } => {
            json!({"kind": "call", "function": function.as_str(), "values": changes(arguments)})
        }
        Event::Return { function, results } => {
            json!({"kind": "return", "function": function.as_str(), "values": changes(results)})
        }
        Event::Start { thread, function } => json!({"kind": "start", "thread": thread, "function": function.as_str()}),
    };
    json!({
        "thread": step.thread,
        "depth": step.depth,
        "function": step.function.as_str(),
        "place": place(step.place),
        "source": step.line.map(|line| line.as_str()),
        "event": event,
    })
}
