//! Files that a check writes beside its report, and running a counterexample as the machine would.
//!
//! Native code runs only when the user asks for it, with a time limit, in a folder of its own.

use crate::output::say;
use driver::property::Property;
use driver::report::{Report, Violation};
use driver::witness::sha256;
use ir::{AssumptionKind, DataModel};
use report::{REACHED, Stamp, harness, witness};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The clauses of contracts.
const CONTRACTS: [&str; 7] = [
    "__fathom_requires",
    "__fathom_ensures",
    "__fathom_assigns",
    "__CPROVER_requires",
    "__CPROVER_ensures",
    "__CPROVER_assigns",
    "__CPROVER_frees",
];

/// How long the program may run.
const PATIENCE: Duration = Duration::from_secs(10);

/// Writes the witness of a verdict. Says why not, if it cannot.
pub fn write_witness(report: &Report, to: &Path) {
    let files = std::iter::once(Path::new(&report.file)).chain(report.linked.iter().map(PathBuf::as_path));
    let file_hashes: Vec<String> =
        files.map(|file| std::fs::read(file).map(|text| sha256(&text)).unwrap_or_default()).collect();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let creation_time = utc(now.as_secs());
    let stamp =
        Stamp { uuid: uuid(&format!("{file_hashes:?}{now:?}{}", std::process::id())), creation_time, file_hashes };
    if let Some(text) = witness(report, &stamp) {
        write(to, &text);
    }
}

/// Writes the harness of a violation.
pub fn write_harness(report: &Report, to: &Path) {
    match report.violated() {
        Some(violation) => {
            if accesses_registers(report) {
                say(&format!("the harness does not show the violation: {REGISTERS}"));
            }
            write(to, &harness(report, violation));
        }
        None => say("there is no violation, so no harness is written"),
    }
}

/// Why native code cannot follow an execution.
const REGISTERS: &str = "it accesses registers of devices, which are not here";

fn accesses_registers(report: &Report) -> bool {
    report.assumptions.iter().any(|assumption| assumption.kind == AssumptionKind::MappedRegisters)
}

fn write(to: &Path, text: &str) {
    if let Err(error) = std::fs::write(to, text) {
        say(&format!("cannot write {}: {error}", to.display()));
    }
}

/// A number that nothing else has, in the form of RFC 4122 for random ones.
fn uuid(seed: &str) -> String {
    let digits = sha256(seed.as_bytes());
    format!("{}-{}-4{}-8{}-{}", &digits[..8], &digits[8..12], &digits[13..16], &digits[17..20], &digits[20..32])
}

/// A time in seconds since 1970 as ISO 8601 writes it.
fn utc(seconds: u64) -> String {
    let (days, rest) = (seconds / 86400, seconds % 86400);
    let is_leap = |y: u64| y.is_multiple_of(4) && !y.is_multiple_of(100) || y.is_multiple_of(400);
    let (mut year, mut day) = (1970, days);
    while day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while day >= lengths[month] {
        day -= lengths[month];
        month += 1;
    }
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", month + 1, day + 1)
}

/// Compiles the program with a harness and runs it. What came of it, in words.
pub fn replay(report: &Report, violation: &Violation, includes: &[PathBuf], defines: &[String]) -> String {
    if accesses_registers(report) {
        return format!("native: the program was not run: {REGISTERS}");
    }
    let folder = std::env::temp_dir().join(format!("fathom-native-{}", std::process::id()));
    let outcome = std::fs::create_dir_all(&folder)
        .map_err(|error| format!("no folder for it could be made: {error}"))
        .and_then(|()| run(report, violation, &folder, includes, defines));
    let _ = std::fs::remove_dir_all(&folder);
    match outcome {
        Ok(told) => format!("native: {told}"),
        Err(why) => format!("native: the program was not run: {why}"),
    }
}

/// What the compiler must add so that a violation shows.
fn sanitizer(property: Property) -> &'static [&'static str] {
    match property {
        Property::NoOverflow => &["-fsanitize=signed-integer-overflow,shift", "-fno-sanitize-recover=all"],
        Property::ShiftRange => &["-fsanitize=shift", "-fno-sanitize-recover=all"],
        Property::DivByZero => &["-fsanitize=integer-divide-by-zero", "-fno-sanitize-recover=all"],
        Property::ValidDeref
        | Property::ValidFree
        | Property::ValidMemtrack
        | Property::ValidMemcleanup
        | Property::ArrayBounds
        | Property::Strings => &["-fsanitize=address,bounds", "-fno-sanitize-recover=all"],
        _ => &[],
    }
}

fn run(
    report: &Report,
    violation: &Violation,
    folder: &Path,
    includes: &[PathBuf],
    defines: &[String],
) -> Result<String, String> {
    let (source, program) = (folder.join("harness.c"), folder.join("program"));
    std::fs::write(&source, harness(report, violation)).map_err(|error| error.to_string())?;
    let mut compiler = Command::new("cc");
    compiler.args(["-w", "-g", "-O0", "-std=gnu11", "-pthread", "-fno-builtin"]).args(sanitizer(violation.property));
    compiler.arg(if report.data_model == DataModel::Ilp32 { "-m32" } else { "-m64" });
    includes.iter().for_each(|include| {
        compiler.arg("-I").arg(include);
    });
    compiler.args(defines.iter().map(|define| format!("-D{define}")));
    // Contracts are no C.
    compiler.args(CONTRACTS.map(|name| format!("-D{name}(...)=")));
    compiler.args(["-x", "c"]).arg(&report.file).args(&report.linked).arg(&source).arg("-o").arg(&program).arg("-lm");
    let compiled = compiler.output().map_err(|error| format!("cc cannot be started: {error}"))?;
    if !compiled.status.success() {
        let said = String::from_utf8_lossy(&compiled.stderr);
        return Err(format!("cc says {}", said.lines().next().unwrap_or("nothing")));
    }
    let errors = std::fs::File::create(folder.join("stderr")).map_err(|error| error.to_string())?;
    let mut child = Command::new(&program)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(errors)
        .spawn()
        .map_err(|error| error.to_string())?;
    let start = Instant::now();
    let status = loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) => break Some(status),
            None if start.elapsed() > PATIENCE => {
                let _ = child.kill();
                let _ = child.wait();
                break None;
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    let said = std::fs::read(folder.join("stderr")).unwrap_or_default();
    Ok(judge(status, &String::from_utf8_lossy(&said)))
}

/// Whether a run shows the violation.
fn judge(status: Option<ExitStatus>, said: &str) -> String {
    use std::os::unix::process::ExitStatusExt;
    let Some(status) = status else { return format!("it still runs after {} s", PATIENCE.as_secs()) };
    let told = said.lines().find(|line| {
        *line == REACHED || line.contains("runtime error:") || line.contains("ERROR: ") || line.contains("Assertion")
    });
    match (told, status.signal(), status.code()) {
        (Some(line), ..) => format!("the violation shows: {}", line.trim().trim_start_matches("fathom: ")),
        (None, Some(signal), _) => format!("the violation shows: it ends by signal {signal}"),
        (None, None, code) => format!(
            "warning: the violation does not show: it ends with status {}. What is undefined in C need not have an effect that can be \
             seen, and the harness gives only what the program asks functions without a body for",
            code.unwrap_or(0)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_numbers_have_their_forms() {
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(utc(1_700_000_000), "2023-11-14T22:13:20Z");
        let number = uuid("x");
        assert_eq!(number.len(), 36);
        assert_eq!(number.as_bytes()[14], b'4');
    }
}
