//! Everyday programs: each of `examples/` is one file with a correct version and three bugs, which `-D BUG=n` puts
//! in. `scripts/everyday` measures all of them; here stand those that are decided in little time.

mod support;

use support::{Ran, fathom, root};

/// Correct in every property, and proved so without much work.
const PROVED: [&str; 5] = ["traffic_light", "low_pass", "debounce", "dma", "fixed_point"];

/// Programs whose bugs are all found in little time.
const FOUND: [&str; 3] = ["registers", "debounce", "traffic_light"];

fn check(name: &str, bug: &str, property: &str) -> Ran {
    let file = format!("examples/{name}.c");
    Ran::of(fathom().args(["check", &file, &format!("-DBUG={bug}"), "--property", property, "--timeout", "300"]))
}

/// The bugs of a program: number and property, as the lines say that begin with `// BUG`.
fn bugs(name: &str) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(root().join(format!("examples/{name}.c"))).expect("a program");
    let told = text.lines().filter_map(|line| line.strip_prefix("// BUG ")).map(|line| {
        let mut parts = line.splitn(3, ": ").map(str::to_string);
        (parts.next().expect("a number"), parts.next().expect("a property"))
    });
    told.collect()
}

#[test]
fn every_program_has_three_bugs() {
    let mut programs = 0;
    for entry in std::fs::read_dir(root().join("examples")).expect("a folder") {
        let path = entry.expect("a file").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let bugs = bugs(&name);
        if !bugs.is_empty() {
            let numbers: Vec<&str> = bugs.iter().map(|(number, _)| number.as_str()).collect();
            assert_eq!(numbers, ["1", "2", "3"], "{name}");
            programs += 1;
        }
    }
    assert_eq!(programs, 30);
}

#[test]
fn correct_programs_are_proved_in_every_property() {
    for name in PROVED {
        let ran = check(name, "0", "all");
        assert_eq!(ran.last_line(), "Verdict: TRUE", "{name}: {}", ran.stdout);
    }
}

#[test]
fn bugs_are_found() {
    for name in FOUND {
        for (number, property) in bugs(name) {
            let ran = check(name, &number, &property);
            assert_eq!(ran.last_line(), format!("Verdict: FALSE({property})"), "{name} {number}: {}", ran.stdout);
        }
    }
}
