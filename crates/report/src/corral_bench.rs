//! Tables of `fathom bench corral`.

use crate::bench::table;
use crate::tables::{find, limits, one_json, one_table};
use bench::Answer;
use bench::corral::{ALGORITHMS, Compared, PUBLISHED, Refinements};
use bench::tables::Measurements;
use serde_json::{Value as Json, json};

pub fn corral_bench_text(tables: &[Measurements], compared: &[Compared], seconds: f64, megabytes: u64) -> String {
    let mut out = format!("{}\nWhat the paper prints:\n\n{PUBLISHED}", limits(seconds, megabytes));
    for measured in tables {
        one_table(measured, &mut out);
        out.push('\n');
        totals(measured, &mut out);
    }
    refinements(compared, &mut out);
    out
}

/// How many programs each tool decides, and how long they take that all of them decide.
fn totals(Measurements { table, runs }: &Measurements, out: &mut String) {
    let is_solved = |answer: &Answer| matches!(answer, Answer::True | Answer::False);
    let by_all: Vec<_> = runs.iter().filter(|line| line.iter().all(|run| is_solved(&run.answer))).collect();
    for (number, tool) in table.tools.iter().enumerate() {
        let solved = runs.iter().filter(|line| is_solved(&line[number].answer)).count();
        let seconds = by_all.iter().fold(0.0, |sum, line| sum + line[number].seconds);
        let (name, all, common) = (tool.name(), runs.len(), by_all.len());
        out.push_str(&format!(
            "{name}: {solved} of {all} decided; the {common} that all decide take {seconds:.2} s.\n"
        ));
    }
}

fn refinements(compared: &[Compared], out: &mut String) {
    let mut head: Vec<String> = ["program", "globals", "paths", "different"].map(String::from).into();
    for name in ALGORITHMS {
        head.extend([format!("{name} calls"), "s".to_string()]);
    }
    head.extend(["times 1", "times STORM"].map(String::from));
    let line = |name: String, globals: String, measured: &Refinements| {
        let mut line = vec![name, globals, measured.paths.to_string(), measured.different.to_string()];
        for number in 0..3 {
            line.extend([measured.questions[number].to_string(), format!("{:.3}", measured.seconds[number])]);
        }
        let [storm, divide, one] = measured.seconds;
        line.extend(
            [divide, storm].map(|other| if one > 0.0 { format!("{:.1}", other / one) } else { "-".to_string() }),
        );
        line
    };
    let mut lines = Vec::new();
    let mut total = Refinements { paths: 0, different: 0, questions: [0; 3], seconds: [0.0; 3] };
    for Compared { task, globals, measured } in compared {
        let Some(measured) = measured else {
            lines.push(vec![task.name.clone(), globals.to_string(), "no report".to_string()]);
            continue;
        };
        lines.push(line(task.name.clone(), globals.to_string(), measured));
        total.paths += measured.paths;
        total.different += measured.different;
        for number in 0..3 {
            total.questions[number] += measured.questions[number];
            total.seconds[number] += measured.seconds[number];
        }
    }
    lines.push(line("TOTAL".to_string(), String::new(), &total));
    table("Refinement on the same spurious paths (calls of the solver)", &head, &lines, out);
}

/// The same for programs.
pub fn corral_bench_json(tables: &[Measurements], compared: &[Compared], seconds: f64, megabytes: u64) -> String {
    let refinement = |one: &Compared| {
        let measured = one.measured.as_ref().map(|m| {
            let named = ALGORITHMS.iter().enumerate().map(|(number, name)| {
                (name.to_string(), json!({"calls": m.questions[number], "seconds": m.seconds[number]}))
            });
            json!({"paths": m.paths, "different": m.different, "algorithms": Json::Object(named.collect())})
        });
        json!({"program": one.task.name, "globals": one.globals, "measured": measured})
    };
    let document = json!({
        "seconds": seconds,
        "megabytes": megabytes,
        "tables": tables.iter().map(one_json).collect::<Vec<_>>(),
        "refinement": compared.iter().map(refinement).collect::<Vec<_>>(),
    });
    format!("{document:#}\n")
}

/// What a report says about the algorithms of refinement.
pub fn read_refinements(document: &str) -> Option<Refinements> {
    let report: Json = serde_json::from_str(document).ok()?;
    let count = |name: &str| find(&report, name)?.as_u64();
    let mut measured = Refinements {
        paths: count("paths compared")?,
        different: count("paths with different answers")?,
        questions: [0; 3],
        seconds: [0.0; 3],
    };
    for (number, name) in ALGORITHMS.into_iter().enumerate() {
        measured.questions[number] = count(&format!("{name} questions"))?;
        measured.seconds[number] = find(&report, &format!("{name} time"))?.as_f64()?;
    }
    Some(measured)
}
