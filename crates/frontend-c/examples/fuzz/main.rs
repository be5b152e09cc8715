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
use std::path::Path;
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
    match &arguments[..] {
        [word, first, note, rest @ ..] if word == "batch" => {
            let (first, request) = (first.parse().unwrap_or_else(|_| usage()), Request::new(rest));
            batch(&request, first, Path::new(note));
        }
        all => search(&Request::new(all), all),
    }
}

/// What the user asks for.
struct Request {
    target: Target,
    executions: u64,
    seed: u64,
    corpus: Vec<String>,
}

impl Request {
    fn new(arguments: &[String]) -> Request {
        let [target, executions, seed, corpus @ ..] = arguments else { usage() };
        let target = match target.as_str() {
            "c" => Target::C,
            "ir" => Target::Ir,
            _ => usage(),
        };
        let (Ok(executions), Ok(seed)) = (executions.parse(), seed.parse()) else { usage() };
        Request { target, executions, seed, corpus: corpus.to_vec() }
    }
}

fn usage() -> ! {
    eprintln!("usage: fuzz c|ir EXECUTIONS SEED CORPUS...");
    exit(2)
}

/// Runs children until all executions are done.
fn search(request: &Request, arguments: &[String]) {
    let start = Instant::now();
    let myself = std::env::current_exe().expect("the path of this program");
    // Where a child notes which execution it is at.
    let note = std::env::temp_dir().join(format!("fathom-fuzz-{}", std::process::id()));
    let (mut programs, mut slowest, mut memory) = (0, 0, 0);
    for first in (0..request.executions).step_by(BATCH as usize) {
        let mut command = Command::new(&myself);
        command.arg("batch").arg(first.to_string()).arg(&note).args(arguments);
        let output = command.output().expect("a child can be started");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let figures: Vec<u64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let ([found, longest, most], true) = (&figures[..], output.status.success()) else {
            eprint!("{}", String::from_utf8_lossy(&output.stderr));
            let noted = std::fs::read(&note).ok().and_then(|bytes| bytes.try_into().ok()).map(u64::from_le_bytes);
            let number = noted.unwrap_or(first);
            eprintln!("fuzz: {} at execution {number}; its input is in {FAILURE}", output.status);
            leave(&Corpus::new(request.target, request.seed, &request.corpus), number);
            exit(1);
        };
        programs += found;
        slowest = slowest.max(*longest);
        memory = memory.max(*most);
    }
    // The note is of use only after a failure.
    let _ = std::fs::remove_file(note);
    println!(
        "{} executions in {:.0} s, {programs} of programs; the slowest took {:.1} ms; a batch ended with {} MB at most",
        request.executions,
        start.elapsed().as_secs_f64(),
        slowest as f64 / 1e3,
        memory >> 20,
    );
}

/// Leaves the input of an execution in a file.
fn leave(corpus: &Corpus, number: u64) {
    std::fs::write(FAILURE, corpus.input(number)).expect("a writable folder");
}

/// Does the executions of one child. Prints how many inputs were programs, the microseconds of the slowest, and the memory.
fn batch(request: &Request, first: u64, note: &Path) {
    let corpus: &'static Corpus = Box::leak(Box::new(Corpus::new(request.target, request.seed, &request.corpus)));
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
                fail(at, "hangs");
            }
            if resident_bytes().is_some_and(|held| held > MOST_MEMORY) {
                fail(at, "takes too much memory");
            }
        }
    });
    let noted = File::create(note).expect("a file for notes");
    let (mut programs, mut slowest) = (0u64, Duration::ZERO);
    for number in first..request.executions.min(first + BATCH) {
        AT.store(number, Ordering::Relaxed);
        BEGAN.store(start.elapsed().as_millis() as u64, Ordering::Relaxed);
        noted.write_at(&number.to_le_bytes(), 0).expect("a writable file");
        let input = corpus.input(number);
        let began = Instant::now();
        match std::panic::catch_unwind(|| corpus.execute(number, &input)) {
            Ok(is_program) => programs += u64::from(is_program),
            Err(_) => fail(number, "panics"),
        }
        slowest = slowest.max(began.elapsed());
    }
    println!("{programs} {} {}", slowest.as_micros(), resident_bytes().unwrap_or(0));
}

/// Ends the process; the one that started it leaves the input.
fn fail(number: u64, how: &str) -> ! {
    eprintln!("fuzz: execution {number} {how}");
    exit(1)
}
