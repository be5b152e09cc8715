//! Tables of `fathom bench boppo`.

use crate::bench::{answer, table};
use bench::Answer;
use bench::boppo::{Measured, Measurements, PUBLISHED};
use serde_json::{Value as Json, json};

/// All tables as text. Times are seconds of processor time, and the numbers behind them are states: sets of states for the
/// engine, vectors of program counters for diagrams, single states for the others.
pub fn boppo_text(measurements: &[Measurements], seconds: f64, megabytes: u64) -> String {
    let mut out = format!(
        "Limits of each run: {seconds} s, {megabytes} MB. [p] is what the paper prints for its own programs.\n"
    );
    for Measurements { table: measured, runs } in measurements {
        let is_published = measured.tasks.iter().any(|task| task.published.is_some()) && measured.tools.len() > 3;
        let mut head = vec!["program".to_string(), "expected".to_string()];
        head.extend(measured.tools.iter().map(|tool| tool.name().to_string()));
        head.extend(PUBLISHED.iter().filter(|_| is_published).map(|name| format!("{name} [p]")));
        let lines = measured.tasks.iter().zip(runs).map(|(task, runs)| {
            let mut line = vec![task.name.clone(), if task.holds { "TRUE" } else { "FALSE" }.to_string()];
            line.extend(runs.iter().map(|run| cell(run, task.holds)));
            line.extend(task.published.iter().filter(|_| is_published).flatten().map(|time| time.to_string()));
            line
        });
        table(measured.title, &head, &lines.collect::<Vec<_>>(), &mut out);
    }
    out
}

/// The time and the states of a run that answered; otherwise why it did not.
fn cell(run: &Measured, holds: bool) -> String {
    let states = run.states.map_or(String::new(), |states| format!(" ({states})"));
    match (&run.answer, holds) {
        (Answer::True, true) | (Answer::False, false) => format!("{:.2}{states}", run.seconds),
        (Answer::True, false) | (Answer::False, true) => format!("WRONG {}", answer(&run.answer)),
        (other, _) => answer(other),
    }
}

/// The same for programs.
pub fn boppo_json(measurements: &[Measurements], seconds: f64, megabytes: u64) -> String {
    let run = |run: &Measured| json!({"answer": answer(&run.answer), "seconds": run.seconds, "states": run.states});
    let tables: Vec<Json> = measurements
        .iter()
        .map(|Measurements { table, runs }| {
            let rows = table.tasks.iter().zip(runs).map(|(task, runs)| {
                let named = table.tools.iter().zip(runs).map(|(tool, one)| (tool.name().to_string(), run(one)));
                json!({"program": task.name, "holds": task.holds, "runs": Json::Object(named.collect())})
            });
            json!({"title": table.title, "rows": rows.collect::<Vec<_>>()})
        })
        .collect();
    let document = json!({"seconds": seconds, "megabytes": megabytes, "tables": tables});
    format!("{document:#}\n")
}

/// The answer and the number of explored states in a report of the engine `interleaving`.
pub fn read_states(document: &str) -> Option<u64> {
    let report: Json = serde_json::from_str(document).ok()?;
    find(&report, "states explored")?.as_u64()
}

/// The value of a key, wherever it is.
fn find<'a>(json: &'a Json, key: &str) -> Option<&'a Json> {
    match json {
        Json::Object(fields) => fields.get(key).or_else(|| fields.values().find_map(|inner| find(inner, key))),
        Json::Array(items) => items.iter().find_map(|inner| find(inner, key)),
        _ => None,
    }
}
