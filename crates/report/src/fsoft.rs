//! Tables of `fathom bench fsoft`.

use crate::bench::{answer, table};
use crate::tables::limits;
use bench::Answer;
use bench::fsoft::{Figures, LIVE, LOCKSTEP, METHODS, Measured, PLAIN, PREDICATE, Row, STRATEGIES, Tool};
use serde_json::{Value as Json, json};
use std::fmt::Write;

/// The tables in Markdown.
pub fn fsoft_text(rows: &[Row], seconds: f64, megabytes: u64) -> String {
    let mut out = format!(
        "{}Programs are written after those of the paper, whose figures ([p], of 2009, limit 3600 s) are about \
         others. Seconds are processor time; T/O is a timeout, M/O that memory was exhausted.\n",
        limits(seconds, megabytes)
    );
    let (correct, faulty): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| row.task.holds);
    strategies(&correct, &mut out);
    methods(&correct, &mut out);
    predicates(&correct, &mut out);
    faults(&faulty, &mut out);
    summary(&correct, &mut out);
    out
}

/// A time, or why there is none.
fn time(row: &Row, tool: Tool) -> String {
    let Some(run) = row.run(tool) else { return "-".to_string() };
    match &run.answer {
        wrong if row.task.is_contradicted_by(wrong) => format!("WRONG {}", answer(wrong)),
        Answer::True | Answer::False => format!("{:.2}", run.seconds),
        Answer::Timeout => "T/O".to_string(),
        Answer::Memory => "M/O".to_string(),
        other => answer(other),
    }
}

fn count(figure: Option<u64>) -> String {
    figure.map_or("-".to_string(), |figure| figure.to_string())
}

/// A figure of a run; with (*) if the run did not end by itself.
fn figure(run: Option<&Measured>, which: impl Fn(&Figures) -> Option<u64>) -> String {
    let Some((run, figure)) = run.and_then(|run| Some((run, which(&run.figures)?))) else { return "-".to_string() };
    format!("{figure}{}", if run.is_solved() { "" } else { "(*)" })
}

fn names<'a>(tools: &'a [Tool], what: &'a str) -> impl Iterator<Item = String> + 'a {
    tools.iter().map(move |tool| format!("{} {what}", tool.configuration.name))
}

fn strategies(rows: &[&Row], out: &mut String) {
    let mut head: Vec<String> = ["program", "loc", "vars", "blks", "live"].map(String::from).into();
    head.extend(names(&STRATEGIES, "s"));
    head.extend(names(&STRATEGIES, "constraints"));
    let line = |row: &&Row| {
        let of = row.run(LOCKSTEP).map(|run| run.figures).unwrap_or_default();
        let live = of.live.map_or("-".to_string(), |share| format!("{:.0} %", 100.0 * share));
        let mut line = vec![row.task.name.to_string(), row.task.lines().to_string()];
        line.extend([count(of.variables), count(of.blocks), live]);
        line.extend(STRATEGIES.map(|tool| time(row, tool)));
        line.extend(STRATEGIES.map(|tool| figure(row.run(tool), |figures| figures.constraints)));
        line
    };
    table("Table II: search strategies", &head, &rows.iter().map(line).collect::<Vec<_>>(), out);
}

fn methods(rows: &[&Row], out: &mut String) {
    let mut head: Vec<String> = ["program", "bits", "depth"].map(String::from).into();
    head.extend(names(&METHODS, "completed"));
    head.extend(names(&METHODS, "s"));
    head.extend(["[p] program", "bits", "depth"].map(String::from));
    head.extend(["bdd", "sat", "mix", "bdd s", "sat s", "mix s"].map(String::from));
    let line = |row: &&Row| {
        let mut line = vec![row.task.name.to_string()];
        line.push(count(row.run(METHODS[0]).and_then(|run| run.figures.bits)));
        line.push(figure(row.run(LOCKSTEP), |figures| figures.depth));
        line.extend(METHODS.map(|tool| match row.run(tool) {
            Some(_) if row.is_solved_by(tool) => "Y".to_string(),
            Some(run) => format!("({})", count(run.figures.depth)),
            None => "-".to_string(),
        }));
        line.extend(METHODS.map(|tool| time(row, tool)));
        let published = row.task.published;
        line.extend([published.program, published.bits, published.depth].map(String::from));
        line.extend(published.completed.map(String::from));
        line.extend(published.seconds.map(String::from));
        line
    };
    let title = "Table III: bits, bounded model checking and lockstep (in parentheses: the depth that was reached)";
    table(title, &head, &rows.iter().map(line).collect::<Vec<_>>(), out);
}

fn predicates(rows: &[&Row], out: &mut String) {
    let single: Vec<&&Row> = rows.iter().filter(|row| row.task.is_single).collect();
    if single.is_empty() {
        return;
    }
    let head = ["program", "predicate s", "lockstep s", "predicate s [p]", "lockstep s [p]"].map(String::from);
    let line = |row: &&&Row| {
        let published = row.task.published;
        let [.., mixed] = published.seconds;
        let ours = [time(row, PREDICATE), time(row, LOCKSTEP)];
        let all = [row.task.name, published.predicate, mixed].map(String::from);
        let [name, predicate, mixed] = all;
        [vec![name], ours.into(), vec![predicate, mixed]].concat()
    };
    let title = "Predicate abstraction on programs with a single property (Section 8.2)";
    table(title, &head, &single.iter().map(line).collect::<Vec<_>>(), out);
}

fn faults(rows: &[&Row], out: &mut String) {
    if rows.is_empty() {
        return;
    }
    let mut head = vec!["program".to_string(), "depth".to_string()];
    head.extend(names(&METHODS, "s"));
    let line = |row: &&Row| {
        let mut line = vec![row.task.name.to_string(), figure(row.run(LOCKSTEP), |figures| figures.depth)];
        line.extend(METHODS.map(|tool| time(row, tool)));
        line
    };
    table("With a fault", &head, &rows.iter().map(line).collect::<Vec<_>>(), out);
}

/// What holds of what the paper says of its tables.
fn summary(rows: &[&Row], out: &mut String) {
    out.push_str("\n## What the paper says of its tables\n\n");
    let solved = |tool: Tool| rows.iter().filter(|row| row.is_solved_by(tool)).count();
    let list = |tools: &[Tool]| {
        let one = |tool: &Tool| format!("{} {}", tool.configuration.name, solved(*tool));
        tools.iter().map(one).collect::<Vec<_>>().join(", ")
    };
    let all = rows.len();
    let _ = writeln!(out, "- Of {all} programs complete: {}. [p]: plain 2, lockstep all of 11.", list(&STRATEGIES));
    let _ =
        writeln!(out, "- Of {all} programs complete: {}. [p]: bdd 7, sat-bmc 1, lockstep all of 11.", list(&METHODS));
    let dead: Vec<f64> =
        rows.iter().filter_map(|row| row.run(LOCKSTEP)?.figures.live).map(|live| 100.0 * (1.0 - live)).collect();
    if !dead.is_empty() {
        let average = dead.iter().sum::<f64>() / dead.len() as f64;
        let least = dead.iter().copied().fold(f64::INFINITY, f64::min);
        let _ = writeln!(
            out,
            "- Live variables leave out {average:.0} % of a block's variables on average, {least:.0} % at least. \
             [p]: about 70 %."
        );
    }
    for slow in [PLAIN, LIVE] {
        let factor = |row: &&Row| {
            let (slow, fast) = (row.run(slow)?, row.run(LOCKSTEP)?);
            (slow.is_solved() && fast.is_solved() && fast.seconds > 0.0).then(|| slow.seconds / fast.seconds)
        };
        let factors: Vec<f64> = rows.iter().filter_map(factor).collect();
        let name = slow.configuration.name;
        if factors.is_empty() {
            let _ = writeln!(out, "- There is no program that both {name} and lockstep complete.");
        } else {
            let mean = (factors.iter().map(|factor| factor.ln()).sum::<f64>() / factors.len() as f64).exp();
            let most = factors.iter().copied().fold(0.0, f64::max);
            let number = factors.len();
            let _ = writeln!(
                out,
                "- From {name} to lockstep, time falls by a factor of {mean:.1} (geometric mean of {number} that both \
                 complete; most {most:.1})."
            );
        }
    }
}

/// The same for programs.
pub fn fsoft_json(rows: &[Row], seconds: f64, megabytes: u64) -> String {
    let run = |(tool, run): &(Tool, Measured)| {
        let figures = run.figures;
        json!({
            "tool": tool.configuration.name,
            "engine": tool.engine,
            "answer": answer(&run.answer),
            "seconds": run.seconds,
            "constraints": figures.constraints,
            "variables": figures.variables,
            "bits": figures.bits,
            "blocks": figures.blocks,
            "live": figures.live,
            "depth": figures.depth,
        })
    };
    let row = |row: &Row| {
        let published = row.task.published;
        json!({
            "program": row.task.name,
            "macros": row.task.macros,
            "lines": row.task.lines(),
            "holds": row.task.holds,
            "published": {
                "program": published.program,
                "bits": published.bits,
                "depth": published.depth,
                "completed": published.completed,
                "seconds": published.seconds,
                "predicate": published.predicate,
            },
            "runs": row.runs.iter().map(run).collect::<Vec<_>>(),
        })
    };
    let rows: Vec<Json> = rows.iter().map(row).collect();
    format!("{:#}\n", json!({"bench": "fsoft", "seconds": seconds, "megabytes": megabytes, "rows": rows}))
}

/// What a report tells of an engine's counts.
pub fn read_fsoft(document: &str, engine: &str) -> Figures {
    let Ok(report) = serde_json::from_str::<Json>(document) else { return Figures::default() };
    let told = &report["statistics"][engine];
    let count = |name: &str| told[name].as_u64();
    Figures {
        constraints: count("peak linear constraints"),
        variables: count("variables"),
        bits: count("bits"),
        blocks: count("blocks"),
        live: told["live variables per block"].as_f64(),
        depth: count("iterations").or_else(|| count("blocks unwound")),
    }
}
