//! Feeds mutated programs to the C frontend or to the parser of the textual IR:
//! `cargo run --release -p frontend-c --example fuzz -- c|ir EXECUTIONS SEED CORPUS...`
//!
//! Executions are done by child processes, a batch each, because terms and names are kept for as long as a process lives. An
//! execution that panics, dies, takes too long or takes too much memory ends the search with exit code 1; its input is
//! left in the file `fuzz-failure`. Executions depend on the seed and their number alone.

mod mutate;
mod target;

use limits::resident_bytes;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::{Command, exit};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use target::{Corpus, Target};

/// Executions of one child.
const BATCH: u64 = 20_000;
/// An execution that takes longer hangs.
const LONGEST: Duration = Duration::from_secs(10);
/// A process that holds more bytes has blown up: a whole batch takes a part of this.
const MOST_MEMORY: u64 = 2 << 30;
const FAILURE: &str = "fuzz-failure";

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (is_child, rest) = match arguments.split_first() {
        Some((word, rest)) if word == "batch" => (true, rest),
        _ => (false, &arguments[..]),
    };
    let usage = || -> ! {
        eprintln!("usage: fuzz c|ir EXECUTIONS SEED CORPUS...");
        exit(2)
    };
    let [target, count, seed, paths @ ..] = rest else { usage() };
    let target = match target.as_str() {
        "c" => Target::C,
        "ir" => Target::Ir,
        _ => usage(),
    };
    let (Ok(count), Ok(seed)) = (count.parse(), seed.parse()) else { usage() };
    if is_child { batch(target, count, seed, paths) } else { search(count, &arguments) }
}

/// Runs children until all executions are done.
fn search(executions: u64, arguments: &[String]) {
    let start = Instant::now();
    let myself = std::env::current_exe().expect("the path of this program");
    let (mut programs, mut slowest, mut memory) = (0, 0, 0);
    let mut first = 0;
    while first < executions {
        let mut command = Command::new(&myself);
        command.arg("batch").args(arguments).env("FUZZ_FIRST", first.to_string());
        let output = command.output().expect("a child can be started");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let figures: Vec<u64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let ([found, longest, most], true) = (&figures[..], output.status.success()) else {
            eprint!("{}", String::from_utf8_lossy(&output.stderr));
            eprintln!("fuzz: {} in or after {}", output.status, last_execution(first));
            exit(1);
        };
        programs += found;
        slowest = slowest.max(*longest);
        memory = memory.max(*most);
        first += BATCH;
    }
    println!(
        "{executions} executions in {:.0} s, {programs} of programs; the slowest took {:.1} ms; a batch held {} MB at most",
        start.elapsed().as_secs_f64(),
        slowest as f64 / 1e3,
        memory >> 20,
    );
}

/// Where the child of a batch notes which execution it is at.
fn note(first: u64) -> PathBuf {
    std::env::temp_dir().join(format!("fathom-fuzz-{}-{first}", parent()))
}

/// The process that searches: this one, or the one that started it.
fn parent() -> u32 {
    std::env::var("FUZZ_FIRST").map_or_else(|_| std::process::id(), |_| std::os::unix::process::parent_id())
}

fn last_execution(first: u64) -> String {
    let bytes = std::fs::read(note(first)).ok().and_then(|bytes| bytes.try_into().ok());
    bytes.map_or("an unknown execution".to_string(), |bytes| format!("execution {}", u64::from_le_bytes(bytes)))
}

/// Does the executions of one child. Prints how many inputs were programs, the microseconds of the slowest, and the memory.
fn batch(target: Target, executions: u64, seed: u64, paths: &[String]) {
    let first: u64 = std::env::var("FUZZ_FIRST").ok().and_then(|text| text.parse().ok()).expect("FUZZ_FIRST");
    let corpus: &'static Corpus = Box::leak(Box::new(Corpus::new(target, seed, paths)));
    assert!(corpus.len() > 0, "no files to mutate");
    // The execution under way and when it began, in milliseconds since the start.
    static AT: AtomicU64 = AtomicU64::new(0);
    static BEGAN: AtomicU64 = AtomicU64::new(0);
    let start = Instant::now();
    AT.store(first, Ordering::Relaxed);
    BEGAN.store(start.elapsed().as_millis() as u64, Ordering::Relaxed);
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_millis(200));
            let at = AT.load(Ordering::Relaxed);
            let began = Duration::from_millis(BEGAN.load(Ordering::Relaxed));
            if start.elapsed().saturating_sub(began) > LONGEST {
                fail(corpus, at, "hangs");
            }
            if resident_bytes().is_some_and(|held| held > MOST_MEMORY) {
                fail(corpus, at, "takes too much memory");
            }
        }
    });
    let path = note(first);
    let noted = File::create(&path).expect("a file for notes");
    let (mut programs, mut slowest) = (0u64, Duration::ZERO);
    for number in first..executions.min(first + BATCH) {
        AT.store(number, Ordering::Relaxed);
        BEGAN.store(start.elapsed().as_millis() as u64, Ordering::Relaxed);
        noted.write_at(&number.to_le_bytes(), 0).expect("a writable file");
        let input = corpus.input(number);
        let began = Instant::now();
        match std::panic::catch_unwind(|| corpus.execute(number, &input)) {
            Ok(is_program) => programs += u64::from(is_program),
            Err(_) => fail(corpus, number, "panics"),
        }
        slowest = slowest.max(began.elapsed());
    }
    // Nobody needs the note of a batch that went well.
    let _ = std::fs::remove_file(path);
    println!("{programs} {} {}", slowest.as_micros(), resident_bytes().unwrap_or(0));
}

/// Says which execution failed, leaves its input and ends the process.
fn fail(corpus: &Corpus, number: u64, how: &str) -> ! {
    eprintln!("fuzz: execution {number} {how}; its input is in {FAILURE}");
    std::fs::write(Path::new(FAILURE), corpus.input(number)).expect("a writable folder");
    exit(1)
}
