//! Tables of programs, with a process of its own for each run: our engines beside other methods and SPIN.

use super::{Folder, finish, seconds};
use crate::args::Bench;
use crate::output::say;
use bench::Answer;
use bench::tables::{Measured, Measurements, Table, Task, Tool};
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

/// Measures tables of programs, whose files have this extension.
pub fn measure(tables: Vec<Table>, extension: &str, arguments: &Bench) -> io::Result<Vec<Measurements>> {
    let folder = Folder::new()?;
    let mut measured = Vec::new();
    for mut table in tables {
        table.tasks.retain(|task| is_wanted(task, arguments));
        let mut runs = Vec::new();
        for task in &table.tasks {
            let file = folder.file(&format!("{}.{extension}", task.name), &task.text)?;
            let mut line = Vec::new();
            for tool in &table.tools {
                let run = run(&table, tool, &file, &folder, arguments)?;
                say(&format!("{} {}: {:?} in {:.2} s", task.name, tool.name(), run.answer, run.seconds));
                line.push(run);
            }
            runs.push(line);
        }
        measured.push(Measurements { table, runs });
    }
    measured.retain(|measurements| !measurements.runs.is_empty());
    Ok(measured)
}

/// Whether a program was asked for.
pub fn is_wanted(task: &Task, arguments: &Bench) -> bool {
    arguments.only.is_empty() || arguments.only.iter().any(|part| task.name.contains(part))
}

fn run(table: &Table, tool: &Tool, file: &Path, folder: &Folder, arguments: &Bench) -> io::Result<Measured> {
    let (answer, count, seconds) = match tool {
        Tool::Engine(configuration) => {
            let (document, seconds) = check(table.engine, configuration.options, file, arguments)?;
            let answer = report::read_run(&document).map(|(answer, _)| answer);
            (answer, report::read_count(&document, table.counted), seconds)
        }
        Tool::Reference(method) => {
            let mut command = Command::new(std::env::current_exe()?);
            command.args(["reference", method]).arg(file).args(limits(arguments));
            let (document, seconds) = output(command)?;
            let (answer, count) = reference(&document);
            (answer, count, seconds)
        }
        Tool::Spin => return spin(file, folder, arguments),
    };
    let answer = answer.unwrap_or_else(|| Answer::Unknown("no report".to_string()));
    Ok(Measured { answer, seconds, count })
}

/// The report of `fathom check` on a file, as JSON, and the processor time that it took.
pub fn check(engine: &str, options: &[&str], file: &Path, arguments: &Bench) -> io::Result<(String, f64)> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("check").arg(file).args(["--engine", engine, "--no-execution", "--format", "json"]);
    command.args(options).args(limits(arguments));
    output(command)
}

fn limits(arguments: &Bench) -> [String; 4] {
    let (time, memory) = (arguments.time.as_secs_f64(), arguments.memory);
    ["--timeout".to_string(), time.to_string(), "--memory-limit".to_string(), memory.to_string()]
}

/// What a command writes, and the processor time it takes.
fn output(mut command: Command) -> io::Result<(String, f64)> {
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let (document, usage) = finish(child)?;
    Ok((document, seconds(&usage)))
}

/// Reads what `fathom reference` prints.
fn reference(document: &str) -> (Option<Answer>, Option<u64>) {
    let (word, rest) = document.trim().split_once(' ').unwrap_or((document.trim(), ""));
    let answer = match word {
        "holds" => Some(Answer::True),
        "violated" => Some(Answer::False),
        _ if rest == "timeout" => Some(Answer::Timeout),
        _ if rest == "out of memory" => Some(Answer::Memory),
        _ => None,
    };
    (answer, rest.parse().ok())
}

/// SPIN on the program in Promela. Its time is that of the verifier alone, without making it.
fn spin(file: &Path, folder: &Folder, arguments: &Bench) -> io::Result<Measured> {
    let none = |why: &str| Ok(Measured { answer: Answer::Unknown(why.to_string()), seconds: 0.0, count: None });
    let mut translate = Command::new(std::env::current_exe()?);
    translate.arg("ir").arg(file).args(["--as", "promela"]);
    let (promela, _) = output(translate)?;
    let path = folder.file("model.pml", &promela)?;
    let Some(place) = path.parent() else { return none("no folder") };
    let mut generate = Command::new("spin");
    generate.arg("-a").arg(&path).current_dir(place);
    if output(generate).is_err() {
        return none("SPIN is not installed");
    }
    let mut compile = Command::new("gcc");
    compile.args(["-O2", "-w", "-DSAFETY", "-DVECTORSZ=4096", &format!("-DMEMLIM={}", arguments.memory)]);
    compile.args(["-o", "pan", "pan.c"]).current_dir(place);
    output(compile)?;
    let mut verify = Command::new("sh");
    // What limits it runs into, the verifier says on standard error.
    let line = format!("exec timeout {} ./pan -E -m20000000 2>&1", arguments.time.as_secs_f64());
    verify.args(["-c", &line]).current_dir(place);
    let (written, used) = output(verify)?;
    let states =
        written.lines().find_map(|line| line.trim().strip_suffix("states, stored")?.trim().parse::<f64>().ok());
    let answer = if written.contains("reached -DMEMLIM") || written.contains("out of memory") {
        Answer::Memory
    } else if written.contains("assertion violated") {
        Answer::False
    } else if written.contains("max search depth too small") {
        Answer::Unknown("search depth".to_string())
    } else if written.contains("errors: 0") && !written.contains("Search not completed") {
        Answer::True
    } else {
        Answer::Timeout
    };
    Ok(Measured { answer, seconds: used, count: states.map(|states| states as u64) })
}
