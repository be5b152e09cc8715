//! Random C programs with a known answer: gcc's programs say what they compute from all their inputs, and a fact about that is
//! asserted, or its negation. No answer may be wrong.
//!
//! `FATHOM_RANDOM_PROGRAMS` says how many programs there are, `FATHOM_ENGINE` which engine decides them, `FATHOM_FIRST_PROGRAM`
//! where to begin, `FATHOM_PATIENCE` how many seconds Fathom has for each.

#[path = "../support/mod.rs"]
mod support;
mod writer;

use std::path::Path;
use std::process::{Command, Stdio};
use support::Ran;
use term::random::Random;
use writer::Written;

/// How many programs there are, and the first.
const PROGRAMS: u64 = 40;
const FIRST: u64 = 1;
/// How long Fathom thinks about one, in seconds.
const PATIENCE: f64 = 3.0;

fn setting<T: std::str::FromStr>(name: &str, default: T) -> T {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn no_answer_is_wrong() {
    if Command::new("gcc").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_err() {
        eprintln!("gcc is not installed: LEFT OUT");
        return;
    }
    let engine = std::env::var("FATHOM_ENGINE").unwrap_or_else(|_| "auto".to_string());
    let first = setting("FATHOM_FIRST_PROGRAM", FIRST);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("known_answers-{engine}-{first}"));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let count = setting("FATHOM_RANDOM_PROGRAMS", PROGRAMS);
    let patience = setting("FATHOM_PATIENCE", PATIENCE).to_string();
    let (mut held, mut violated, mut open) = (0, 0, 0);
    for seed in first..first + count {
        let written = writer::write(seed);
        let outputs = outputs(&written, &folder);
        let (fact, holds) = fact(&outputs, &mut Random::new(seed));
        let file = folder.join("checked.c");
        std::fs::write(&file, checked(&written, &fact)).expect("a program can be written");
        let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
        command.args(["check", "--engine", &engine, "--timeout", &patience]).arg(&file);
        // An engine that is named decides without executions.
        command.args((engine != "auto").then_some("--no-execution"));
        let ran = Ran::of(&mut command);
        let context = || format!("program {seed}, {fact}\n{}{}", ran.stdout, ran.stderr);
        match ran.code {
            Some(0) => held += 1,
            Some(1) => violated += 1,
            Some(3) => open += 1,
            other => panic!("exit code {other:?}: {}", context()),
        }
        assert!(!ran.stdout.contains("internal error"), "{}", context());
        assert!(ran.code == Some(3) || (ran.code == Some(0)) == holds, "wrong: {}", context());
    }
    println!("{engine}: {held} TRUE, {violated} FALSE, {open} UNKNOWN of {count}");
    let is_asked = setting("FATHOM_RANDOM_PROGRAMS", 0) == 0;
    assert!(!is_asked || held.min(violated) * 5 > count, "too few are decided: {held} TRUE, {violated} FALSE");
}

/// What the program computes from all its inputs, as gcc's program says.
fn outputs(written: &Written, folder: &Path) -> Vec<u32> {
    let (source, program) = (folder.join("native.c"), folder.join("native"));
    let mut text = format!("#include <stdio.h>\n{}int main(void) {{\n", written.text);
    for (number, values) in written.inputs.iter().enumerate() {
        text += &format!("for (unsigned n{number} = 0; n{number} < {values}; n{number}++)\n");
    }
    text += "{ reset();\n";
    (0..written.inputs.len()).for_each(|number| text += &format!("in{number} = n{number};\n"));
    text += "printf(\"%u\\n\", compute()); }\nreturn 0;\n}\n";
    std::fs::write(&source, text).expect("a program can be written");
    let compiled = Ran::of(Command::new("gcc").args(["-w", "-O0", "-o"]).arg(&program).arg(&source));
    assert_eq!(compiled.code, Some(0), "{}", compiled.stderr);
    let ran = Ran::of(&mut Command::new(&program));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ran.stdout.lines().map(|line| line.parse().expect("a number")).collect()
}

/// A condition on the number `r`, and whether no input violates it.
fn fact(outputs: &[u32], random: &mut Random) -> (String, bool) {
    let some = *random.pick(outputs);
    let (least, greatest) = (outputs.iter().min().copied().unwrap_or(0), outputs.iter().max().copied().unwrap_or(0));
    let (condition, holds): (String, bool) = match random.below(6) {
        0 => (format!("r != {some}u"), false),
        1 => (format!("r >= {least}u"), true),
        2 => (format!("r <= {greatest}u"), true),
        3 => (format!("r > {least}u"), false),
        4 => (format!("r < {greatest}u"), false),
        _ => {
            let other = [some.wrapping_add(1), some ^ 0x8000_0000, some.wrapping_mul(3)][random.below(3)];
            (format!("r != {other}u"), !outputs.contains(&other))
        }
    };
    (condition, holds)
}

/// The program for Fathom, which asserts a fact.
fn checked(written: &Written, fact: &str) -> String {
    let mut text = format!(
        "extern unsigned __VERIFIER_nondet_uint(void);\nextern void __VERIFIER_error(void);\n{}int main(void) {{\n  reset();\n",
        written.text
    );
    for (number, values) in written.inputs.iter().enumerate() {
        text += &format!("  in{number} = __VERIFIER_nondet_uint();\n  if (in{number} >= {values}) return 0;\n");
    }
    text + &format!("  unsigned r = compute();\n  if (!({fact})) __VERIFIER_error();\n  return 0;\n}}\n")
}
