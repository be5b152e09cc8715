//! What was measured beside what a paper printed: tables for people, and the same as JSON.

use crate::TOOL;
use bench::lbe::{LBE, Published, SBE};
use bench::{Answer, Configuration, Figures, Measured, Results, Row, Source};
use serde_json::{Value as Json, json};
use std::fmt::Write;

/// The bench that measures the tables of large-block encoding, in Markdown.
pub fn lbe_text(results: &Results) -> String {
    let mut out = format!(
        "# Software Model Checking via Large-Block Encoding\n\nTime is processor time in seconds; each run ends after {} s on the \
         clock and with {} MB. Columns with [p] are the paper's (1.8 GHz Core 2, limits 1800 s and 1.8 GB); beside programs that are \
         not its own, what it prints for those that they are written after. (*) marks figures of a run without an answer.\n",
        results.seconds,
        megabytes(results.bytes),
    );
    let (safe, unsafe_): (Vec<&Row>, Vec<&Row>) = results.rows.iter().partition(|row| row.task.holds);
    times("Table I: programs without bugs", &safe, &results.configurations, &mut out);
    times("Table II: programs with bugs", &unsafe_, &results.configurations, &mut out);
    counts("Table III: trees, refinements and predicates", &safe, &results.configurations, &mut out);
    groups("Groups", results, &mut out);
    out
}

/// For each group of a list, what each configuration solves, and the time of each on what all of them solve. The factor is that of the first to
/// the last.
fn groups(title: &str, results: &Results, out: &mut String) {
    let mut names: Vec<&str> = results.rows.iter().filter_map(|row| row.task.group.as_deref()).collect();
    names.dedup();
    if names.is_empty() {
        return;
    }
    let names_of = |what: &'static str| results.configurations.iter().map(move |one| format!("{} {what}", one.name));
    let head: Vec<String> = ["group", "tasks"]
        .map(String::from)
        .into_iter()
        .chain(names_of("solves"))
        .chain(["all solve".to_string()])
        .chain(names_of("s on these"))
        .chain(["factor".to_string()])
        .collect();
    let line = |name: &&str| {
        let rows: Vec<&Row> = results.rows.iter().filter(|row| row.task.group.as_deref() == Some(*name)).collect();
        let is_right = |row: &Row, run: &Measured| run.is_solved() && !row.task.is_contradicted_by(&run.answer);
        let both: Vec<&Row> = rows.iter().copied().filter(|row| row.all_solved()).collect();
        let mut line = vec![name.to_string(), rows.len().to_string()];
        let numbers = 0..results.configurations.len();
        line.extend(numbers.clone().map(|number| {
            rows.iter().filter(|row| row.runs.get(number).is_some_and(|run| is_right(row, run))).count().to_string()
        }));
        line.push(both.len().to_string());
        let seconds =
            |number: usize| both.iter().filter_map(|row| row.runs.get(number)).map(|run| run.seconds).sum::<f64>();
        let times: Vec<f64> = numbers.map(seconds).collect();
        line.extend(times.iter().map(|time| format!("{time:.2}")));
        line.push(match (times.first(), times.last()) {
            (Some(first), Some(last)) if *last > 0.0 => format!("{:.1}", first / last),
            _ => "-".to_string(),
        });
        line
    };
    table(title, &head, &names.iter().map(line).collect::<Vec<_>>(), out);
}

/// The times of Tables I and II.
fn times(title: &str, rows: &[&Row], configurations: &[Configuration], out: &mut String) {
    if rows.is_empty() {
        return;
    }
    let mut head: Vec<String> = ["program", "BLAST [p]", "SBE [p]", "LBE [p]"].map(String::from).into();
    for configuration in configurations {
        head.extend([configuration.name, "s", "MB"].map(String::from));
    }
    let mut lines: Vec<Vec<String>> = rows.iter().map(|row| time_line(row)).collect();
    let published = |time: fn(&Published) -> &'static str| {
        let times: Vec<f64> = rows.iter().filter_map(|row| time(row.task.published?).parse().ok()).collect();
        solved(&times)
    };
    let mut total = vec!["TOTAL (solved/time)".to_string()];
    total.extend([published(|row| row.blast), published(|row| row.sbe), published(|row| row.lbe)]);
    for number in 0..configurations.len() {
        let runs = rows.iter().filter_map(|row| row.runs.get(number)).filter(|run| run.is_solved());
        total.extend([solved(&runs.map(|run| run.seconds).collect::<Vec<f64>>()), String::new(), String::new()]);
    }
    lines.push(total);
    table(title, &head, &lines, out);
}

fn time_line(row: &Row) -> Vec<String> {
    let mut line = vec![row.task.name.clone()];
    line.extend(row.task.published.map_or(["-"; 3], |row| [row.blast, row.sbe, row.lbe]).map(String::from));
    for run in &row.runs {
        let wrong = if row.task.is_contradicted_by(&run.answer) { " WRONG" } else { "" };
        line.push(format!("{}{wrong}", answer(&run.answer)));
        line.extend([format!("{:.2}", run.seconds), megabytes(run.peak_bytes).to_string()]);
    }
    line
}

fn solved(times: &[f64]) -> String {
    format!("{}/{:.2}", times.len(), times.iter().fold(0.0, |sum, time| sum + time))
}

/// The counts of Table III.
fn counts(title: &str, rows: &[&Row], configurations: &[Configuration], out: &mut String) {
    if rows.is_empty() {
        return;
    }
    let mut head = vec!["program".to_string()];
    for configuration in configurations {
        let marks: &[&str] = if is_published(configuration) { &[" [p]", ""] } else { &[""] };
        for mark in marks {
            head.push(format!("{}{mark} nodes", configuration.name));
            head.extend(["refinements", "predicates", "average", "most"].map(String::from));
        }
    }
    let line = |row: &&Row| {
        let mut line = vec![row.task.name.clone()];
        for (configuration, run) in configurations.iter().zip(&row.runs) {
            if is_published(configuration) {
                let figures = row.task.published.and_then(|row| published_figures(row, configuration));
                line.extend(figures.unwrap_or(["-"; 5]).map(String::from));
            }
            line.extend(figures(run));
        }
        line
    };
    table(title, &head, &rows.iter().map(line).collect::<Vec<_>>(), out);
}

/// Whether Table III has the configuration.
fn is_published(configuration: &Configuration) -> bool {
    *configuration == SBE || *configuration == LBE
}

fn published_figures(row: &Published, configuration: &Configuration) -> Option<[&'static str; 5]> {
    if *configuration == SBE { row.sbe_figures } else { row.lbe_figures }
}

fn figures(run: &Measured) -> [String; 5] {
    let Some(Figures { nodes, refinements, predicates, average, largest }) = run.figures else {
        return ["-"; 5].map(String::from);
    };
    let partial = if run.is_solved() { "" } else { "(*)" };
    let average = format!("{average:.1}");
    [nodes.to_string(), refinements.to_string(), predicates.to_string(), average, largest.to_string()]
        .map(|figure| figure + partial)
}

pub fn answer(answer: &Answer) -> String {
    match answer {
        Answer::True => "TRUE".into(),
        Answer::False => "FALSE".into(),
        Answer::Timeout => "timeout".into(),
        Answer::Memory => "memory".into(),
        Answer::Unknown(why) => format!("UNKNOWN({why})"),
    }
}

fn megabytes(bytes: u64) -> u64 {
    bytes >> 20
}

/// Appends a table whose columns are as wide as their widest cell; all but the first are aligned to the right.
pub fn table(title: &str, head: &[String], lines: &[Vec<String>], out: &mut String) {
    let width = |column: usize| {
        let cells = std::iter::once(head).chain(lines.iter().map(Vec::as_slice)).filter_map(|line| line.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0).max(2)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let _ = writeln!(out, "\n## {title}\n");
    let write_line = |cells: &[String], out: &mut String| {
        for (column, (cell, width)) in cells.iter().zip(&widths).enumerate() {
            let _ = if column == 0 { write!(out, "| {cell:width$} ") } else { write!(out, "| {cell:>width$} ") };
        }
        out.push_str("|\n");
    };
    write_line(head, out);
    for (column, width) in widths.iter().enumerate() {
        let _ =
            if column == 0 { write!(out, "|{:-<1$}", "", width + 2) } else { write!(out, "|{:->1$}", ":", width + 2) };
    }
    out.push_str("|\n");
    lines.iter().for_each(|line| write_line(line, out));
}

/// The same for programs: one JSON document, ending with a newline. docs/json.md describes it.
pub fn lbe_json(results: &Results) -> String {
    let run = |(configuration, run): (&Configuration, &Measured)| {
        json!({
            "configuration": configuration.name,
            "answer": answer(&run.answer),
            "seconds": run.seconds,
            "peak_bytes": run.peak_bytes,
            "figures": run.figures.map(|f| json!({
                "nodes": f.nodes,
                "refinements": f.refinements,
                "predicates": f.predicates,
                "average": f.average,
                "largest": f.largest,
            })),
        })
    };
    let row = |row: &Row| {
        json!({
            "program": row.task.name,
            "group": row.task.group,
            "file": match &row.task.source {
                Source::Written(_) => None,
                Source::File(path) => Some(path.to_string_lossy()),
            },
            "expected": row.task.holds,
            "published": row.task.published.map(published),
            "runs": results.configurations.iter().zip(&row.runs).map(run).collect::<Vec<_>>(),
        })
    };
    let document = json!({
        "schema": 1,
        "tool": {"name": TOOL.0, "version": TOOL.1},
        "bench": "lbe",
        "limits": {"seconds": results.seconds, "bytes": results.bytes},
        "rows": results.rows.iter().map(row).collect::<Vec<_>>(),
    });
    format!("{document:#}\n")
}

fn published(row: &Published) -> Json {
    let times = json!({"BLAST": row.blast, "SBE": row.sbe, "LBE": row.lbe});
    json!({"program": row.program, "seconds": times, "SBE": row.sbe_figures, "LBE": row.lbe_figures})
}

/// What a report in JSON says of its run: the answer, and the figures of the engine `predicate` if it ran.
pub fn read_run(document: &str) -> Option<(Answer, Option<Figures>)> {
    let document: Json = serde_json::from_str(document).ok()?;
    let answer = match (document["verdict"].as_str()?, document["reason"]["kind"].as_str()) {
        ("TRUE", _) => Answer::True,
        ("FALSE", _) => Answer::False,
        (_, Some("timeout")) => Answer::Timeout,
        (_, Some("memory")) => Answer::Memory,
        (_, kind) => Answer::Unknown(kind?.to_string()),
    };
    let told = &document["statistics"]["predicate"];
    let count = |name: &str| told[name].as_u64();
    let figures = || {
        Some(Figures {
            nodes: count("ART nodes")?,
            refinements: count("refinements")?,
            predicates: count("predicates")?,
            average: told["predicates per location"].as_f64()?,
            largest: count("most predicates at a location")?,
        })
    };
    Some((answer, figures()))
}
