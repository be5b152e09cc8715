//! `fathom corral` prints what tools that call Corral look for.

mod support;

use support::{Ran, fathom};

/// The output of a run as SMACK calls Corral, on a program of tests/cases/boogie.
fn corral(case: &str, more: &[&str]) -> (String, Option<i32>) {
    let file = format!("tests/cases/boogie/{case}");
    let usual =
        ["corral", &file, "/tryCTrace", "/noTraceOnDisk", "/printDataValues:1", "/useProverEvaluate", "/timeLimit:60"];
    let ran = Ran::of(fathom().args(usual).args(more));
    (ran.stdout, ran.code)
}

#[test]
fn a_bug_is_told_with_its_execution() {
    let (told, code) = corral("threads/race.bpl", &["/k:3", "/main:main", "/cex:1"]);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains(": error PF5001: This assertion can fail\n"), "{told}");
    assert!(told.contains("ASSERTION FAILS assert "), "{told}");
    assert!(told.contains("(FORK "), "{told}");
    let steps: Vec<&str> = told.lines().filter(|line| line.contains("): Trace: Thread=")).collect();
    assert!(steps.iter().all(|line| line.starts_with("tests/cases/boogie/threads/race.bpl(")), "{told}");
    assert!(steps.iter().any(|line| line.contains("Thread=1  (")), "threads count from 1: {told}");
    assert!(steps.iter().any(|line| line.contains("Thread=2  (")), "{told}");
    let (silent, _) = corral("threads/race.bpl", &["/k:3", "/noTrace"]);
    assert!(!silent.contains("Trace:") && silent.contains("can fail"), "{silent}");
}

#[test]
fn what_has_no_bug_is_said_to_have_none() {
    let (told, code) = corral("expressions/let.bpl", &[]);
    assert_eq!((told.as_str(), code), ("Program has no bugs\n", Some(0)));
    // What holds for any number of contexts needs no bound, unless the search is bounded.
    let (told, _) = corral("threads/atomic.bpl", &["/k:2"]);
    assert!(told.starts_with("Program has no bugs\n"), "{told}");
    let (told, _) = corral("threads/atomic.bpl", &["/k:2", "/recursionBound:2"]);
    assert!(told.starts_with("Program has no bugs\n") && told.contains("contexts bound of 2"), "{told}");
}

/// Each execution is one in which the assertions hold that failed in those before.
#[test]
fn more_executions_are_told_if_they_are_asked_for() {
    let bugs = |count: &str| {
        let (told, code) = corral("control/three_failures.bpl", &[count]);
        assert_eq!(code, Some(0), "{told}");
        let lines = told.lines().filter(|line| line.contains("error PF5001"));
        let mut lines: Vec<String> =
            lines.map(|line| line.chars().skip_while(|c| *c != '(').take(4).collect()).collect();
        lines.sort();
        assert_eq!(lines.len(), told.matches("Program has a potential bug").count(), "{told}");
        lines
    };
    assert_eq!(bugs("/cex:1").len(), 1);
    assert_eq!(bugs("/cex:2").len(), 2);
    // The fourth assertion is the third one again, and the last one holds.
    assert_eq!(bugs("/cex:9"), ["(7,1", "(8,1", "(9,1"]);
}

#[test]
fn wrong_command_lines_and_programs_are_errors() {
    let (told, code) = corral("expressions/let.bpl", &["/unheardOf"]);
    assert_eq!((told.as_str(), code), ("Usage error: unknown option /unheardOf\n", Some(1)));
    let (told, code) = corral("diagnostics/types.bpl", &[]);
    assert_eq!((told.as_str(), code), ("Error, Invalid input\n", Some(1)));
}
