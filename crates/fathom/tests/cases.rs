//! Runs the programs of tests/cases, whose first lines say what is expected:
//!
//! ```text
//! //! run: a line that it prints         (once for each line; `run-ilp32`, `run-lp64` where the data models differ)
//! //! exit: 3                            its exit code, where that is not 0
//! //! verdict: true                      or false(PROPERTY), or unknown(part of the reason)
//! //! decided-by: predicate, mixed       the engines that must find the verdict
//! //! property: no-overflow              what to check; the default is unreach-call
//! //! with: other.c                      a file beside it that is linked; may be repeated. It is no case itself
//! //! automaton: file.automaton          an automaton beside the program that it must keep out of its error states
//! //! error: 3:10 expected `;`           that it is no program: place and (part of) the message, once for each
//! //! assuming: part of an assumption      that the verdict must name, once for each; `nothing` where there is none
//! //! arguments: --missing-bodies pure   further arguments of `fathom check`
//! //! model: ilp32                       the only data model; otherwise both are tried
//! ```
//!
//! Every engine runs on every case with a verdict: none may contradict it. A program that only runs must not be FALSE.
//! Engines that the header does not name run with one of the data models; with `./test --all` (`FATHOM_TEST_ALL`) with both.

mod support;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use support::{Ran, fathom, root};

const MODELS: [&str; 2] = ["ilp32", "lp64"];

/// What the header of a case says.
#[derive(Default, Debug)]
struct Case {
    /// Relative to the project's folder, as diagnostics show it.
    path: PathBuf,
    /// Expected output lines, with the data model that they are for.
    output: Vec<(Option<&'static str>, String)>,
    exit: i32,
    verdict: Option<String>,
    decided_by: Vec<String>,
    assumptions: Vec<String>,
    properties: Vec<String>,
    automaton: Option<PathBuf>,
    linked: Vec<PathBuf>,
    errors: Vec<String>,
    arguments: Vec<String>,
    model: Option<String>,
}

impl Case {
    fn read(path: &Path) -> Result<Case, String> {
        let text = std::fs::read(root().join(path)).map_err(|error| format!("{}: {error}", path.display()))?;
        let text = String::from_utf8_lossy(&text);
        let mut case = Case { path: path.to_path_buf(), ..Case::default() };
        for line in text.lines().map_while(|line| line.strip_prefix("//!")) {
            let (key, value) = line.split_once(':').ok_or_else(|| format!("{}: no key in {line}", path.display()))?;
            let value = value.strip_prefix(' ').unwrap_or(value).to_string();
            match key.trim() {
                "run" => case.output.push((None, value)),
                "run-ilp32" => case.output.push((Some("ilp32"), value)),
                "run-lp64" => case.output.push((Some("lp64"), value)),
                "exit" => case.exit = value.parse().map_err(|_| format!("{}: exit code {value}", path.display()))?,
                "verdict" => case.verdict = Some(value),
                "decided-by" => case.decided_by = value.split(',').map(|name| name.trim().to_string()).collect(),
                "assuming" => case.assumptions.push(value),
                "property" => case.properties.push(value),
                "with" => case.linked.push(path.with_file_name(value)),
                "automaton" => case.automaton = Some(path.with_file_name(value)),
                "arguments" => case.arguments = value.split_whitespace().map(str::to_string).collect(),
                "error" => case.errors.push(value),
                "model" => case.model = Some(value),
                key => return Err(format!("{}: unknown key {key}", path.display())),
            }
        }
        if case.output.is_empty() && case.verdict.is_none() && case.errors.is_empty() {
            return Err(format!("{}: the header expects nothing", path.display()));
        }
        Ok(case)
    }

    /// All files of the program.
    fn files(&self) -> impl Iterator<Item = &PathBuf> {
        std::iter::once(&self.path).chain(&self.linked)
    }

    /// The data models to try: they matter to C alone.
    fn models(&self) -> impl Iterator<Item = &'static str> {
        let is_c = self.path.extension().is_some_and(|extension| extension != "bpl" && extension != "bp");
        let only = self.model.as_deref().or((!is_c).then_some("lp64"));
        MODELS.into_iter().filter(move |model| only.is_none_or(|only| only == *model))
    }

    /// The data models with which an engine runs.
    fn models_for(&self, engine: &str) -> impl Iterator<Item = &'static str> {
        let needs_both = engine == "auto" || self.must_decide(engine) || std::env::var_os("FATHOM_TEST_ALL").is_some();
        // Which of several it is goes by the names, so that all engines and features meet both.
        let sum: usize =
            engine.bytes().chain(self.path.as_os_str().as_encoded_bytes().iter().copied()).map(usize::from).sum();
        let models: Vec<&'static str> = self.models().collect();
        let count = if needs_both { models.len() } else { models.len().min(1) };
        let first = if needs_both { 0 } else { sum % models.len().max(1) };
        models.into_iter().cycle().skip(first).take(count)
    }

    fn must_decide(&self, engine: &str) -> bool {
        self.decided_by.iter().any(|name| name == engine)
    }

    fn output(&self, model: &str) -> Vec<&str> {
        let fits = self.output.iter().filter(|(only, _)| only.is_none_or(|only| only == model));
        fits.map(|(_, line)| line.as_str()).collect()
    }

    /// What is wrong with an execution.
    fn judge_run(&self, model: &str, who: &str, ran: &Ran) -> Option<String> {
        let found: Vec<&str> = ran.stdout.lines().map(str::trim_end).collect();
        let mut expected = self.output(model);
        if expected == [""] {
            expected.clear();
        }
        if found == expected && ran.code == Some(self.exit) {
            return None;
        }
        let path = self.path.display();
        let (stdout, stderr) = (found.join("\n    "), ran.stderr.trim());
        Some(format!(
            "{path} ({model}): {who} exits with {:?}, expected {}, and prints\n    {stdout}\n  expected\n    {}\n  {stderr}",
            ran.code,
            self.exit,
            expected.join("\n    "),
        ))
    }

    fn run(&self) -> Vec<String> {
        if self.output.is_empty() {
            return Vec::new();
        }
        let one = |model: &'static str| {
            let ran = Ran::of(fathom().arg("run").args(self.files()).args(["--data-model", model, "--timeout", "20"]));
            self.judge_run(model, "fathom run", &ran)
        };
        self.models().filter_map(one).collect()
    }

    fn check(&self, engine: &str, model: &str, seconds: &str) -> Ran {
        let mut command = fathom();
        command.arg("check").args(self.files()).args(["--data-model", model, "--engine", engine, "--timeout", seconds]);
        command.args(self.properties.iter().flat_map(|property| ["--property", property]));
        command.args(&self.arguments);
        if let Some(automaton) = &self.automaton {
            command.arg("--automaton").arg(automaton);
        }
        // Loops that it cannot decide would keep it busy until time is up.
        if engine == "stratified" {
            command.args(["--recursion-bound", "12"]);
        }
        Ran::of(&mut command)
    }

    /// What is wrong with an engine's verdict.
    fn verdict(&self, engine: &str) -> Vec<String> {
        let Some(expected) = &self.verdict else { return Vec::new() };
        let must = self.must_decide(engine);
        let mut problems = Vec::new();
        for model in self.models_for(engine) {
            // Who must not decide only must not be wrong; but a reason for UNKNOWN has to be come to.
            let seconds = match (must, expected.starts_with("unknown")) {
                (true, _) => "60",
                // Exact searches of most programs do not end.
                (false, _) if matches!(engine, "mixed" | "linear") => "0.3",
                (false, true) => "5",
                (false, false) => "1",
            };
            let ran = self.check(engine, model, seconds);
            let found = ran.last_line().strip_prefix("Verdict: ").unwrap_or_default().to_string();
            let code = match &found[..found.find('(').unwrap_or(found.len())] {
                "TRUE" => 0,
                "FALSE" => 1,
                "UNKNOWN" => 3,
                _ => -1,
            };
            let is_unknown = code == 3 && !must;
            let fits = match expected.split_once('(') {
                // An engine alone may give up earlier, for a reason of its own.
                Some(("unknown", reason)) => {
                    code == 3 && (engine != "auto" || found.contains(reason.trim_end_matches(')')))
                }
                Some((word, property)) => found == format!("{}({property}", word.to_uppercase()) || is_unknown,
                None => found == expected.to_uppercase() || is_unknown,
            };
            let assumed: Vec<&str> = ran.stdout.lines().filter_map(|line| line.strip_prefix("Assuming: ")).collect();
            if engine == "auto" && !is_unknown && !self.assumes(&assumed) {
                let path = self.path.display();
                problems.push(format!("{path} ({model}): assumes {assumed:?}, expected {:?}", self.assumptions));
            }
            let unexpected_error = found.contains("internal error");
            if !fits || unexpected_error || ran.code != Some(code) {
                let path = self.path.display();
                let code = ran.code;
                problems.push(format!("{path} ({model}, {engine}): {found}, exit code {code:?}; expected {expected}"));
            }
        }
        problems
    }

    /// Whether these are the assumptions that the header names, if it names some.
    fn assumes(&self, assumed: &[&str]) -> bool {
        match &self.assumptions[..] {
            [] => true,
            [nothing] if nothing == "nothing" => assumed.is_empty(),
            expected => {
                let is_met = |part: &String| assumed.iter().any(|line| line.contains(part.as_str()));
                assumed.len() == expected.len() && expected.iter().all(is_met)
            }
        }
    }

    /// A program that ends well when it runs has no violation that zeros and random inputs could show.
    fn is_not_false(&self) -> Vec<String> {
        if self.output.is_empty() || self.verdict.is_some() || !self.errors.is_empty() {
            return Vec::new();
        }
        let one = |model: &'static str| {
            let ran = self.check("auto", model, "2");
            let right = matches!(ran.code, Some(0 | 3)) && !ran.last_line().contains("internal error");
            (!right).then(|| format!("{} ({model}): {}\n{}", self.path.display(), ran.last_line(), ran.stderr))
        };
        self.models().filter_map(one).collect()
    }

    fn errors(&self) -> Vec<String> {
        if self.errors.is_empty() {
            return Vec::new();
        }
        let one = |model: &'static str| {
            let ran = self.check("auto", model, "5");
            let missing = self.errors.iter().filter(|expected| {
                let (place, message) = expected.split_once(' ').unwrap_or((expected, ""));
                let place = format!("{}:{place}\n", self.path.display());
                let blocks = ran.stderr.split("\nerror: ").map(|block| block.strip_prefix("error: ").unwrap_or(block));
                let mut matching = blocks.filter(|block| block.contains(&place));
                !matching.any(|block| block.lines().next().is_some_and(|line| line.contains(message)))
            });
            let missing: Vec<&str> = missing.map(String::as_str).collect();
            let is_right = missing.is_empty() && ran.code == Some(2) && !ran.stdout.contains("Verdict");
            (!is_right).then(|| {
                format!("{} ({model}): {:?}, not found: {missing:?}\n{}", self.path.display(), ran.code, ran.stderr)
            })
        };
        self.models().filter_map(one).collect()
    }
}

fn cases() -> Vec<Case> {
    let mut files = Vec::new();
    collect(&root().join("tests/cases"), &mut files);
    files.sort();
    let paths = files.iter().map(|file| file.strip_prefix(root()).expect("below the project's folder"));
    let read: Vec<(&Path, Result<Case, String>)> = paths.map(|path| (path, Case::read(path))).collect();
    let cases = read.iter().filter_map(|(_, read)| read.as_ref().ok());
    let linked: HashSet<PathBuf> = cases.flat_map(|case| case.linked.clone()).collect();
    let read = read.into_iter().filter(|(path, _)| !linked.contains(*path)).map(|(_, read)| read);
    let (cases, problems): (Vec<_>, Vec<_>) = read.partition(Result::is_ok);
    let problems: Vec<String> = problems.into_iter().filter_map(Result::err).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(!cases.is_empty(), "there are no cases");
    cases.into_iter().flatten().collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("tests/cases can be read") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path
            .extension()
            .is_some_and(|extension| ["c", "i", "bpl", "bp", "ir"].iter().any(|e| extension == *e))
        {
            files.push(path);
        }
    }
}

/// Does the work on all items, on all processors, and collects what went wrong.
fn for_all<T: Sync>(items: &[T], work: impl Fn(&T) -> Vec<String> + Sync) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let problems = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = work(item);
                    problems.lock().expect("no worker panics while it holds the list").extend(found);
                }
            });
        }
    });
    problems.into_inner().expect("no worker panics while it holds the list")
}

/// Whether a program can be run here.
fn is_installed(program: &str) -> bool {
    Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

fn report(problems: Vec<String>) {
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn programs_run_as_expected() {
    report(for_all(&cases(), Case::run));
}

#[test]
fn no_engine_contradicts_a_verdict() {
    let engines: Vec<&str> = driver::engines::names();
    report(for_all(&cases(), |case| engines.iter().flat_map(|engine| case.verdict(engine)).collect()));
}

#[test]
fn programs_that_run_well_are_not_false() {
    report(for_all(&cases(), Case::is_not_false));
}

#[test]
fn what_is_no_program_is_refused_with_its_place() {
    report(for_all(&cases(), Case::errors));
}

/// The expectations themselves: gcc's programs print what the headers hold.
#[test]
fn gcc_agrees_with_the_expected_output() {
    if !is_installed("gcc") {
        eprintln!("gcc is not installed: LEFT OUT");
        return;
    }
    let cases: Vec<Case> = cases().into_iter().filter(|case| !case.output.is_empty()).collect();
    let folder = std::env::temp_dir().join(format!("fathom-cases-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for gcc's programs");
    let flags = |model: &str| if model == "ilp32" { vec!["-m32", "-msse2", "-mfpmath=sse"] } else { vec!["-m64"] };
    let can_compile = |model: &str| {
        let source = folder.join("probe.c");
        std::fs::write(&source, "#include <stdio.h>\nint main(void) { return 0; }\n").expect("a small file");
        Ran::of(Command::new("gcc").args(flags(model)).arg(&source).arg("-o").arg(folder.join("probe"))).code == Some(0)
    };
    let models: Vec<&str> = MODELS.into_iter().filter(|model| can_compile(model)).collect();
    if models.len() < MODELS.len() {
        eprintln!("gcc compiles only for {models:?}: the rest is LEFT OUT");
    }
    let problems = for_all(&cases, |case| {
        let one = |model: &'static str| {
            let name = case.path.display().to_string().replace('/', "-");
            let program = folder.join(format!("{name}-{model}"));
            let mut gcc = Command::new("gcc");
            gcc.current_dir(root()).args(flags(model)).args(["-std=gnu11", "-O0", "-w", "-pthread"]);
            let compiled = Ran::of(gcc.args(case.files()).arg("-o").arg(&program).arg("-lm"));
            if compiled.code != Some(0) {
                return Some(format!("{}: gcc says {}", case.path.display(), compiled.stderr));
            }
            case.judge_run(model, "gcc's program", &Ran::of(&mut Command::new(&program)))
        };
        case.models().filter(|model| models.contains(model)).filter_map(one).collect()
    });
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
    report(problems);
}
