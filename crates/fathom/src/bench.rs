//! `fathom bench`: measures again what a paper measured.
//!
//! Each run is a process of its own, this program with the command `check`: so it has its own limits, and its time and
//! memory are what the system says of it. Engines decide alone, without executions before; their answers are checked as
//! ever.

use crate::args::{Bench, BenchFormat, Paper};
use crate::output::{print, say};
use bench::{Answer, Configuration, Measured, Results, Row, Source, Task, lbe};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

mod boppo;
mod corral;
mod fsoft;
mod tables;

pub fn main(arguments: &Bench) -> i32 {
    match arguments.paper {
        Paper::Lbe => lbe(arguments),
        Paper::Boppo => boppo::main(arguments),
        Paper::Corral => corral::main(arguments),
        Paper::Fsoft => fsoft::main(arguments),
    }
}

fn lbe(arguments: &Bench) -> i32 {
    match measure(arguments) {
        Ok(results) => {
            print(&match arguments.format {
                BenchFormat::Text => report::lbe_text(&results),
                BenchFormat::Json => report::lbe_json(&results),
            });
            i32::from(results.rows.iter().any(Row::is_wrong))
        }
        Err(error) => {
            say(&format!("cannot measure: {error}"));
            2
        }
    }
}

fn measure(arguments: &Bench) -> io::Result<Results> {
    let mut tasks = tasks(arguments)?;
    let wanted = |task: &Task| arguments.only.is_empty() || arguments.only.iter().any(|part| task.name.contains(part));
    tasks.retain(wanted);
    let configurations: Vec<Configuration> = arguments.configurations.iter().map(|one| (*one).into()).collect();
    let bytes = arguments.memory.saturating_mul(1 << 20);
    let mut results = Results { configurations, seconds: arguments.time.as_secs_f64(), bytes, rows: Vec::new() };
    let folder = Folder::new()?;
    let number = tasks.len();
    for (done, task) in tasks.into_iter().enumerate() {
        let file = match &task.source {
            Source::File(path) => path.clone(),
            Source::Written(text) => folder.file(&task.name, text)?,
        };
        let mut runs = Vec::new();
        for configuration in &results.configurations {
            let measured = run(&file, &task, configuration, arguments)?;
            let (name, how) = (&task.name, configuration.name);
            say(&format!("{}/{number} {name} {how}: {:?} in {:.2} s", done + 1, measured.answer, measured.seconds));
            runs.push(measured);
        }
        results.rows.push(Row { task, runs });
    }
    Ok(results)
}

/// What is measured: the tasks of a list, or the programs that Fathom writes itself and the paper's own.
fn tasks(arguments: &Bench) -> io::Result<Vec<Task>> {
    if let (Some(list), Some(folder)) = (&arguments.list, &arguments.tasks) {
        return Ok(bench::list::listed(&std::fs::read_to_string(list)?, folder, &arguments.group));
    }
    let mut tasks = lbe::written();
    if let Some(folder) = &arguments.tasks {
        tasks.extend(lbe::originals(folder)?);
    }
    Ok(tasks)
}

/// Checks a program in a process of its own.
fn run(file: &Path, task: &Task, configuration: &Configuration, arguments: &Bench) -> io::Result<Measured> {
    let child = Command::new(std::env::current_exe()?)
        .arg("check")
        .arg(file)
        .args(["--property", task.property, "--data-model", "ilp32", "--engine", "predicate", "--no-execution"])
        .args(["--timeout", &arguments.time.as_secs_f64().to_string()])
        .args(["--memory-limit", &arguments.memory.to_string(), "--format", "json"])
        .args(configuration.options)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let (document, usage) = finish(child)?;
    let nothing = || (Answer::Unknown("the run gave no report".to_string()), None);
    let (answer, figures) = report::read_run(&document).unwrap_or_else(nothing);
    Ok(Measured {
        answer,
        figures,
        seconds: seconds(&usage),
        // Linux counts in kilobytes.
        peak_bytes: usage.ru_maxrss as u64 * 1024,
    })
}

/// The processor time that was used.
fn seconds(usage: &libc::rusage) -> f64 {
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

/// Waits until a process has ended: what it wrote, and what it used.
fn finish(mut child: Child) -> io::Result<(String, libc::rusage)> {
    let mut written = Vec::new();
    if let Some(mut out) = child.stdout.take() {
        out.read_to_end(&mut written)?;
    }
    let mut status = 0;
    // SAFETY: the numbers of which it consists may all be zero, and both pointers are valid for the call.
    let (ended, usage) = unsafe {
        let mut usage = std::mem::zeroed::<libc::rusage>();
        (libc::wait4(child.id() as libc::pid_t, &mut status, 0, &mut usage), usage)
    };
    if ended < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok((String::from_utf8_lossy(&written).into_owned(), usage))
}

/// A folder for programs, which goes away with this value.
struct Folder(PathBuf);

impl Folder {
    fn new() -> io::Result<Folder> {
        let path = std::env::temp_dir().join(format!("fathom-bench-{}", std::process::id()));
        std::fs::create_dir(&path)?;
        Ok(Folder(path))
    }

    fn file(&self, name: &str, text: &str) -> io::Result<PathBuf> {
        let path = self.0.join(name);
        std::fs::write(&path, text)?;
        Ok(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed is left to the system.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
