//! A fixed range of random C programs: executed, they print what gcc's programs print. `scripts/csmith-agreement` does
//! the work, for this range and for others.

mod support;

use std::process::{Command, Stdio};
use support::{Ran, root};

const FIRST: &str = "1";
const LAST: &str = "20";

#[test]
fn executions_agree_with_gcc() {
    let is_installed = |program: &str| {
        Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
    };
    for program in ["csmith", "gcc", "python3"] {
        if !is_installed(program) {
            eprintln!("{program} is not installed: LEFT OUT");
            return;
        }
    }
    let mut script = Command::new(root().join("scripts/csmith-agreement"));
    script.args([FIRST, LAST, "--tool", env!("CARGO_BIN_EXE_fathom")]);
    let ran = Ran::of(&mut script);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let agreeing = ran.stdout.lines().find_map(|line| line.trim().strip_suffix(" agree")?.trim().parse::<u32>().ok());
    assert!(agreeing.is_some_and(|count| count >= 10), "too few programs say anything:\n{}", ran.stdout);
}
