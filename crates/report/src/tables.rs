//! Tables of programs and of who decides them, for people and as JSON.

use crate::bench::{answer, table};
use bench::Answer;
use bench::tables::{Measured, Measurements};
use serde_json::{Value as Json, json};

/// All tables as text. Times are seconds of processor time, and the numbers behind them are what the table counts: for Boolean
/// programs sets of states for the engine, vectors of program counters for diagrams, single states for the others.
pub fn tables_text(measurements: &[Measurements], seconds: f64, megabytes: u64) -> String {
    let mut out = limits(seconds, megabytes);
    measurements.iter().for_each(|one| one_table(one, &mut out));
    out
}

pub fn limits(seconds: f64, megabytes: u64) -> String {
    format!("Limits of each run: {seconds} s, {megabytes} MB. [p] is what the paper prints for its own programs.\n")
}

pub fn one_table(Measurements { table: measured, runs }: &Measurements, out: &mut String) {
    let mut head = vec!["program".to_string(), "expected".to_string()];
    head.extend(measured.tools.iter().map(|tool| tool.name().to_string()));
    head.extend(measured.published.iter().map(|name| format!("{name} [p]")));
    let lines = measured.tasks.iter().zip(runs).map(|(task, runs)| {
        let mut line = vec![task.name.clone(), if task.holds { "TRUE" } else { "FALSE" }.to_string()];
        line.extend(runs.iter().map(|run| cell(run, task.holds)));
        let published = task.published.iter().filter(|_| !measured.published.is_empty());
        line.extend(published.flat_map(|times| times.iter().map(|time| time.to_string())));
        line
    });
    table(measured.title, &head, &lines.collect::<Vec<_>>(), out);
}

/// The time and the count of a run that answered; otherwise why it did not.
fn cell(run: &Measured, holds: bool) -> String {
    let count = run.count.map_or(String::new(), |count| format!(" ({count})"));
    match (&run.answer, holds) {
        (Answer::True, true) | (Answer::False, false) => format!("{:.2}{count}", run.seconds),
        (Answer::True, false) | (Answer::False, true) => format!("WRONG {}", answer(&run.answer)),
        (other, _) => answer(other),
    }
}

/// The same for programs.
pub fn tables_json(measurements: &[Measurements], seconds: f64, megabytes: u64) -> String {
    let tables: Vec<Json> = measurements.iter().map(one_json).collect();
    let document = json!({"seconds": seconds, "megabytes": megabytes, "tables": tables});
    format!("{document:#}\n")
}

pub fn one_json(Measurements { table, runs }: &Measurements) -> Json {
    let run = |run: &Measured| json!({"answer": answer(&run.answer), "seconds": run.seconds, "count": run.count});
    let rows = table.tasks.iter().zip(runs).map(|(task, runs)| {
        let named = table.tools.iter().zip(runs).map(|(tool, one)| (tool.name().to_string(), run(one)));
        json!({"program": task.name, "holds": task.holds, "runs": Json::Object(named.collect())})
    });
    json!({"title": table.title, "counted": table.counted, "rows": rows.collect::<Vec<_>>()})
}

/// A count among the statistics of a report.
pub fn read_count(document: &str, name: &str) -> Option<u64> {
    let report: Json = serde_json::from_str(document).ok()?;
    find(&report, name)?.as_u64()
}

/// The value of a key, wherever it is.
pub fn find<'a>(json: &'a Json, key: &str) -> Option<&'a Json> {
    match json {
        Json::Object(fields) => fields.get(key).or_else(|| fields.values().find_map(|inner| find(inner, key))),
        Json::Array(items) => items.iter().find_map(|inner| find(inner, key)),
        _ => None,
    }
}
