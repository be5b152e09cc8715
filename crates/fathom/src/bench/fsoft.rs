//! `fathom bench fsoft`: search strategies and representations of the engine `mixed`, beside bounded model checking
//! and predicate abstraction.

use super::Folder;
use super::tables::check;
use crate::args::{Bench, BenchFormat};
use crate::output::{print, say};
use bench::Answer;
use bench::fsoft::{Measured, Row, Task, Tool, tasks};
use std::io;
use std::path::Path;

pub fn main(arguments: &Bench) -> i32 {
    match measure(arguments) {
        Ok(rows) => {
            let (seconds, memory) = (arguments.time.as_secs_f64(), arguments.memory);
            print(&match arguments.format {
                BenchFormat::Text => report::fsoft_text(&rows, seconds, memory),
                BenchFormat::Json => report::fsoft_json(&rows, seconds, memory),
            });
            i32::from(rows.iter().any(Row::is_wrong))
        }
        Err(error) => {
            say(&format!("cannot measure: {error}"));
            2
        }
    }
}

fn measure(arguments: &Bench) -> io::Result<Vec<Row>> {
    let folder = Folder::new()?;
    let is_wanted =
        |task: &Task| arguments.only.is_empty() || arguments.only.iter().any(|part| task.name.contains(part));
    let mut rows = Vec::new();
    for task in tasks().into_iter().filter(is_wanted) {
        let file = folder.file(&format!("{}.c", task.name), task.text)?;
        let mut runs = Vec::new();
        for tool in task.tools() {
            let measured = run(tool, &task, &file, arguments)?;
            let (macros, how) = (task.macros.join(" "), tool.configuration.name);
            say(&format!("{} {macros} {how}: {:?} in {:.2} s", task.name, measured.answer, measured.seconds));
            runs.push((tool, measured));
        }
        rows.push(Row { task, runs });
    }
    Ok(rows)
}

fn run(tool: Tool, task: &Task, file: &Path, arguments: &Bench) -> io::Result<Measured> {
    let options = [tool.configuration.options, &task.options()].concat();
    let (document, seconds) = check(tool.engine, &options, file, arguments)?;
    let answer = report::read_run(&document).map(|(answer, _)| answer);
    let answer = answer.unwrap_or_else(|| Answer::Unknown("no report".to_string()));
    Ok(Measured { answer, seconds, figures: report::read_fsoft(&document, tool.engine) })
}
