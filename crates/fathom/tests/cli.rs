//! The command line as its users see it: exit codes, the last line, diagnostics, limits and signals.

mod support;

use std::io::Read;
use std::os::fd::FromRawFd;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::{Folder, Ran, fathom};

const SAFE: &str = "int main(void) { return 0; }\n";
const BUG: &str = "int main(void) {\n    int x = 3;\n    if (x > 2)\n        __VERIFIER_error();\n    return 0;\n}\n";
const LOOP: &str = "int main(void) {\n    for (;;)\n        ;\n    __VERIFIER_error();\n}\n";

/// Checks one program with more arguments; the exit code and the last line.
fn check(name: &str, text: &str, arguments: &[&str], code: i32, last_line: &str) {
    let folder = Folder::new(name, &[("t.c", text)]);
    let ran = folder.run(&[&["check", "t.c"], arguments].concat());
    assert_eq!((ran.last_line(), ran.code), (last_line, Some(code)), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn verdicts_and_exit_codes() {
    check("safe", SAFE, &[], 0, "Verdict: TRUE");
    check("bug", BUG, &[], 1, "Verdict: FALSE(unreach-call)");
    check("model", BUG, &["--data-model", "ilp32", "--engine", "auto"], 1, "Verdict: FALSE(unreach-call)");
}

#[test]
fn output_files_are_tried_first() {
    let many: String = (0..30).map(|i| format!("int f{i}(void) {{ return y; }}\n")).collect();
    let folder = Folder::new("outputs", &[("t.c", LOOP), ("s.c", SAFE), ("many.c", &many)]);
    for option in ["--witness", "--harness", "--keep-predicates"] {
        let ran = folder.run(&["check", "t.c", option, "no-such-folder/file"]);
        assert_eq!(ran.code, Some(2), "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stderr.contains("cannot write no-such-folder/file"), "{}", ran.stderr);
    }
    let ran = folder.run(&["check", "s.c", "--harness", "h.c"]);
    assert_eq!((ran.code, folder.0.join("h.c").exists()), (Some(0), false), "{}", ran.stderr);
    let ran = folder.run(&["check", "many.c"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.matches("error:").count() == 20 && ran.stderr.contains("and 10 more errors"), "{}", ran.stderr);
}

#[test]
fn properties() {
    let label =
        "int main(void) {\n    int x = 1;\n    if (x)\n        goto ERROR;\n    return 0;\nERROR:\n    return 1;\n}\n";
    check("label", label, &["--property", "unreach-label:ERROR"], 1, "Verdict: FALSE(unreach-label:ERROR)");
    check("no-label", label, &["--property", "unreach-label:OTHER"], 0, "Verdict: TRUE");
    let ltl = "CHECK( init(main()), LTL(G ! label(ERROR)) )";
    check("ltl", label, &["--property", ltl], 1, "Verdict: FALSE(unreach-label:ERROR)");
    check("not-asked", BUG, &["--property", "no-overflow"], 0, "Verdict: TRUE");
    let overflow = "int main(void) {\n    int x = 2147483647;\n    x++;\n    return 0;\n}\n";
    check("overflow", overflow, &["--property", "no-overflow"], 1, "Verdict: FALSE(no-overflow)");
    check(
        "two",
        overflow,
        &["--property", "unreach-call", "--property", "no-overflow"],
        1,
        "Verdict: FALSE(no-overflow)",
    );
    check("wraps", overflow, &[], 0, "Verdict: TRUE");
}

#[test]
fn what_nothing_implements_is_unknown() {
    let unknown = |property: &str| format!("Verdict: UNKNOWN(unsupported: property {property})");
    let ltl = "CHECK( init(main()), LTL(F end) )";
    check("termination", SAFE, &["--property", ltl], 3, &unknown("termination"));
    // A violation of another property that was asked for still counts.
    check("mixed", BUG, &["--property", ltl, "--property", "unreach-call"], 1, "Verdict: FALSE(unreach-call)");
}

/// What is wrong with one property does not hide what is wrong with another; the verdict is the worst.
#[test]
fn all_properties_are_decided_by_themselves() {
    let program = "int a[2];\nint main(void) {\n    int x, y = 0;\n    if (x)\n        a[2] = 1;\n    y = 1 / y;\n\
                   \u{20}   y = 2 % (y - y);\n    return y;\n}\n";
    let folder = Folder::new("all", &[("t.c", program), ("safe.c", SAFE)]);
    let ran = folder.run(&["check", "t.c", "--property", "all"]);
    assert_eq!((ran.last_line(), ran.code), ("Verdict: FALSE(valid-deref)", Some(1)), "{}", ran.stderr);
    let rows: Vec<Vec<&str>> = ran.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
    let row = |property: &str| rows.iter().find(|row| row.first() == Some(&property)).map(|row| row[2..].join(" "));
    assert_eq!(row("unreach-call").as_deref(), Some("TRUE"));
    assert_eq!(row("array-bounds").as_deref(), Some("FALSE t.c:5: array index out of bounds"));
    assert_eq!(row("uninitialised").as_deref(), Some("FALSE t.c:4: `x` is read before it has a value"));
    assert_eq!(row("div-by-zero").as_deref(), Some("FALSE t.c:6: division by zero"));
    assert_eq!(row("shift-range").as_deref(), Some("TRUE"));
    let safe = folder.run(&["check", "safe.c", "--property", "all"]);
    assert_eq!((safe.last_line(), safe.code), ("Verdict: TRUE", Some(0)), "{}", safe.stderr);
    let document: serde_json::Value =
        serde_json::from_str(&folder.run(&["check", "t.c", "--property", "all", "--format", "json"]).stdout)
            .expect("one document");
    assert_eq!(document["verdict"], "FALSE");
    let verdicts = document["results"].as_array().expect("a list").iter();
    assert_eq!(verdicts.filter(|result| result["verdict"] == "FALSE").count(), 4);
    let sarif = folder.run(&["check", "t.c", "--property", "all", "--format", "sarif"]);
    let document: serde_json::Value = serde_json::from_str(&sarif.stdout).expect("one document");
    assert_eq!(document["runs"][0]["results"].as_array().map(Vec::len), Some(4));
    assert_eq!(sarif.stderr.trim(), "fathom: Verdict: FALSE(valid-deref)");
}

/// The same property may be violated at several places: each is told.
#[test]
fn other_places_are_looked_for() {
    let program = "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n    int x = __VERIFIER_nondet_int();\n\
                   \u{20}   if (x > 5)\n        return 1 / (x - 7);\n    return 2 / x;\n}\n";
    let folder = Folder::new("places", &[("t.c", program)]);
    let ran = folder.run(&["check", "t.c", "--property", "all"]);
    for place in ["t.c:5: division by zero", "t.c:6: division by zero"] {
        assert_eq!(ran.stdout.matches(place).count(), 1, "{}", ran.stdout);
    }
}

#[test]
fn automata_are_read_with_their_mistakes() {
    let files = [("t.c", SAFE), ("good", "automaton a\nstart s\nerror e\ns -> e at end\n"), ("bad", "automaton\n")];
    let folder = Folder::new("automata", &files);
    let ran = folder.run(&["check", "t.c", "--automaton", "good"]);
    assert_eq!((ran.last_line(), ran.code), ("Verdict: FALSE(automaton:a)", Some(1)), "{}", ran.stderr);
    let refused = folder.run(&["check", "t.c", "--automaton", "bad"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("bad:1:1"), "{}", refused.stderr);
    assert_eq!(folder.run(&["check", "t.c", "--automaton", "missing"]).code, Some(2));
}

/// A Boolean program that was printed means what it meant before; other programs cannot be printed so.
#[test]
fn boolean_programs_are_printed() {
    let program = "decl g := T, x;\nthread_local decl own;\nbool<2> f(a) begin return a, !a; end\nvoid t(p) begin decl l; \
                   l, own := f(p); atomic_begin; g := g & l; atomic_end; end\nvoid main() begin x, own := *, F; start_thread \
                   t(x); if !own then assert(g); fi; end\n";
    let folder = Folder::new("boolean", &[("t.bp", program), ("t.c", "int main(void) { return 0; }\n")]);
    let printed = folder.run(&["ir", "t.bp", "--as", "bp"]);
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    let again = Folder::new("printed", &[("t.bp", &printed.stdout)]);
    for (folder, options) in [(&folder, &["check", "t.bp"][..]), (&again, &["check", "t.bp"])] {
        let ran = folder.run(options);
        assert_eq!((ran.last_line(), ran.code), ("Verdict: FALSE(unreach-call)", Some(1)), "{}", ran.stderr);
    }
    let twice = again.run(&["ir", "t.bp", "--as", "bp"]);
    assert_eq!(twice.code, Some(0));
    assert_eq!(folder.run(&["ir", "t.c", "--as", "bp"]).code, Some(3));
}

/// With the predicate that matters, the Boolean program is as safe as the program; with none it is not.
#[test]
fn programs_are_abstracted() {
    let text = "int lock;\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n    int n = __VERIFIER_nondet_int();\n\
        while (n != 7) {\n        n = __VERIFIER_nondet_int();\n        lock = n > 3;\n    }\n    lock = 1;\n\
        if (!lock)\n        __VERIFIER_error();\n    return 0;\n}\n";
    let folder = Folder::new("abstract", &[("t.c", text), ("p", "(= lock #b01) ; held\n"), ("q", "(= none #b01)\n")]);
    let listed = folder.run(&["abstract", "t.c"]);
    assert!(listed.code == Some(0) && listed.stdout.contains("// lock: "), "{}", listed.stderr);
    let none = folder.run(&["abstract", "t.c", "--predicates", "q"]);
    assert!(none.code == Some(3) && none.stderr.contains("line 1: unknown variable none"), "{}", none.stderr);
    let program = folder.run(&["abstract", "t.c", "--predicates", "p"]);
    assert!(program.code == Some(0) && program.stdout.contains("decl p0;"), "{}", program.stderr);
    for (text, code) in [(&listed.stdout, 1), (&program.stdout, 0)] {
        std::fs::write(folder.0.join("t.bp"), text).expect("a file for the test");
        assert_eq!(folder.run(&["check", "t.bp"]).code, Some(code), "{text}");
    }
}

#[test]
fn task_definitions() {
    let task = "format_version: '2.0'\ninput_files: 't.c'\nproperties:\n  - property_file: p.prp\n    \
                expected_verdict: true\noptions:\n  language: C\n  data_model: ILP32\n";
    let property = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
    let program = "extern void reach_error(void);\nint main(void) {\n    if (sizeof(long) == 4)\n        reach_error();\n\
                   \u{20}   return 0;\n}\n";
    let folder = Folder::new("task", &[("t.yml", task), ("p.prp", property), ("t.c", program)]);
    assert_eq!(folder.run(&["check", "t.yml"]).last_line(), "Verdict: FALSE(unreach-call)");
    // What the command line says goes before what the task says.
    assert_eq!(folder.run(&["check", "t.yml", "--data-model", "lp64"]).last_line(), "Verdict: TRUE");
    assert_eq!(folder.run(&["check", "t.yml", "--property", "no-overflow"]).last_line(), "Verdict: TRUE");
    assert_eq!(folder.run(&["check", "t.c", "--property", "p.prp"]).last_line(), "Verdict: TRUE");
}

#[test]
fn what_is_no_program_has_exit_code_2() {
    let wrong = "int main(void) {\n    int x = 1\n    return y;\n}\n";
    let files = [
        ("t.c", wrong),
        ("bad.ir", "procedure main( {\n"),
        ("bad.yml", "a: [\n"),
        ("bad.prp", "CHEK()\n"),
        ("t.txt", ""),
    ];
    let folder = Folder::new("invalid", &files);
    for (arguments, expected) in [
        (vec!["check", "t.c"], "t.c:2:14"),
        (vec!["ir", "t.c"], "t.c:2:14"),
        (vec!["run", "t.c"], "t.c:2:14"),
        (vec!["check", "bad.ir"], "bad.ir:1:"),
        (vec!["check", "bad.yml"], "bad.yml:"),
        (vec!["check", "t.c", "--property", "bad.prp"], "bad.prp:1:1"),
        (vec!["check", "t.c", "--property", "nonsense"], "`nonsense` is no property"),
        (vec!["check", "missing.c"], "missing.c"),
        (vec!["check", "t.txt"], "t.txt"),
        (vec!["check", "."], "cannot"),
        (vec!["check", "t.c", "--engine", "none"], "none"),
        (vec!["frob"], "frob"),
    ] {
        let ran = folder.run(&arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}\n{}{}", ran.stdout, ran.stderr);
        assert!(ran.stderr.contains(expected), "{arguments:?}\n{}", ran.stderr);
        assert_eq!(ran.stdout, "", "{arguments:?}");
    }
}

#[test]
fn macros_and_folders_as_a_compiler_takes_them() {
    let program =
        "#include \"h.h\"\nint main(void) {\n    if (X + Y == 3)\n        __VERIFIER_error();\n    return 0;\n}\n";
    let folder = Folder::new("macros", &[("t.c", program)]);
    std::fs::create_dir_all(folder.0.join("inc")).expect("a folder");
    std::fs::write(folder.0.join("inc/h.h"), "#ifdef Y\nint used;\n#endif\n").expect("a header");
    for arguments in [["-Iinc", "-DX=1", "-DY=2"].as_slice(), ["-I", "inc", "-D", "X=2", "-DY"].as_slice()] {
        let ran = folder.run(&[&["check", "t.c"], arguments].concat());
        assert_eq!(ran.last_line(), "Verdict: FALSE(unreach-call)", "{}", ran.stderr);
    }
    assert_eq!(folder.run(&["check", "t.c", "-Iinc", "-DX=1", "-DY=1"]).last_line(), "Verdict: TRUE");
}

/// The product of two primes: nothing finds them in the time that the tests give.
const HARD: &str = "extern unsigned long long __VERIFIER_nondet_ulonglong(void);\nint main(void) {\n    \
    unsigned long long x = __VERIFIER_nondet_ulonglong(), y = __VERIFIER_nondet_ulonglong();\n    \
    if (x > 1 && y > 1 && x < 0xffffffff && y < 0xffffffff && x * y == 9345208821757322069ull)\n        \
    __VERIFIER_error();\n    return 0;\n}\n";

#[test]
fn limits_end_a_check() {
    let folder = Folder::new("limits", &[("t.c", HARD)]);
    for (limit, value, reason) in [("--timeout", "0.2", "timeout"), ("--memory-limit", "3", "out of memory")] {
        let start = Instant::now();
        let ran = folder.run(&["check", "t.c", limit, value]);
        assert_eq!(
            (ran.last_line(), ran.code),
            (format!("Verdict: UNKNOWN({reason})").as_str(), Some(3)),
            "{}",
            ran.stderr
        );
        assert!(start.elapsed() < Duration::from_secs(20), "{limit}");
    }
}

/// Starts a process that would run for ever, sends it a signal, and waits for it.
fn interrupted(folder: &Folder, arguments: &[&str], signal: &str) -> Ran {
    let mut child = folder
        .fathom(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("fathom can be started");
    std::thread::sleep(Duration::from_millis(400));
    let id = child.id().to_string();
    Command::new("kill").args([signal, &id]).status().expect("kill can be run");
    let mut ran = Ran { stdout: String::new(), stderr: String::new(), code: None };
    child.stdout.take().expect("a pipe").read_to_string(&mut ran.stdout).expect("text");
    child.stderr.take().expect("a pipe").read_to_string(&mut ran.stderr).expect("text");
    ran.code = child.wait().expect("the process ends").code();
    ran
}

#[test]
fn signals_end_executions_and_checks() {
    let folder = Folder::new("signal", &[("loop.c", LOOP), ("hard.c", HARD)]);
    for signal in ["-INT", "-TERM"] {
        let ran = interrupted(&folder, &["run", "loop.c"], signal);
        assert_eq!(ran.code, Some(124), "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stderr.contains("cancelled"), "{}", ran.stderr);
        let ran = interrupted(&folder, &["check", "hard.c"], signal);
        assert_eq!((ran.last_line(), ran.code), ("Verdict: UNKNOWN(cancelled)", Some(3)), "{}", ran.stderr);
        // What was found before stays: nothing is shifted, so that much is known of it.
        let ran = interrupted(&folder, &["check", "hard.c", "--property", "all"], signal);
        assert_eq!((ran.last_line(), ran.code), ("Verdict: UNKNOWN(cancelled)", Some(3)), "{}", ran.stderr);
        let rows: Vec<Vec<&str>> = ran.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
        assert!(rows.contains(&vec!["unreach-call", "1", "UNKNOWN", "cancelled"]), "{}", ran.stdout);
        assert!(rows.contains(&vec!["shift-range", "0", "TRUE"]), "{}", ran.stdout);
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let program = "#include <stdio.h>\nint main(void) {\n    for (int i = 0; i < 100000; i++)\n        printf(\"%d\\n\", i);\n\
                   \u{20}   return 0;\n}\n";
    let folder = Folder::new("pipe", &[("t.c", program)]);
    for arguments in [["run", "t.c"], ["ir", "t.c"], ["check", "t.c"]] {
        let mut child = folder
            .fathom(&arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("fathom can be started");
        drop(child.stdout.take());
        let mut stderr = String::new();
        child.stderr.take().expect("a pipe").read_to_string(&mut stderr).expect("text");
        let code = child.wait().expect("the process ends").code();
        assert!(code.is_some(), "{arguments:?} was ended by a signal");
        assert!(!stderr.contains("panic") && !stderr.contains("internal"), "{arguments:?}: {stderr}");
    }
}

#[test]
fn documents_are_alone_on_standard_output() {
    let folder = Folder::new("json", &[("t.c", BUG)]);
    for format in ["json", "sarif"] {
        let ran = folder.run(&["check", "t.c", "--format", format]);
        let document: serde_json::Value = serde_json::from_str(&ran.stdout).expect("a JSON document");
        assert_eq!(ran.code, Some(1));
        assert!(ran.stderr.trim_end().ends_with("Verdict: FALSE(unreach-call)"), "{}", ran.stderr);
        if format == "json" {
            assert_eq!(document["violation"]["place"]["line"], 4);
            assert_eq!(document["decided_by"], "execution");
        } else {
            assert_eq!(document["runs"][0]["results"][0]["ruleId"], "unreach-call");
        }
    }
}

#[test]
fn the_report_shows_the_execution() {
    let folder = Folder::new("report", &[("t.c", BUG)]);
    let ran = folder.run(&["check", "t.c", "--stats"]);
    for expected in ["int x = 3;", "x = 3", "__VERIFIER_error();", "--> t.c:4:9", "connectivity"] {
        assert!(ran.stdout.contains(expected), "{expected} is not in\n{}", ran.stdout);
    }
}

#[test]
fn unknown_functions_are_listed_once() {
    let program = "extern int mystery(int);\nint main(void) {\n    int x = mystery(1) + mystery(2);\n    \
                   if (x > 1 && x < 0)\n        __VERIFIER_error();\n    return x;\n}\n";
    let folder = Folder::new("unknown", &[("t.c", program)]);
    let pure = folder.run(&["check", "t.c", "--missing-bodies", "pure"]);
    assert_eq!(pure.stdout.matches("Assuming: mystery may return any value").count(), 1, "{}", pure.stdout);
    let refused = folder.run(&["check", "t.c"]);
    assert_eq!(refused.stdout.matches("note: mystery (t.c:1:12) has no body").count(), 1, "{}", refused.stdout);
    let task = "format_version: \"2.0\"\ninput_files: 't.c'\nproperties:\n  - property_file: p.prp\n";
    std::fs::write(folder.0.join("t.yml"), task).expect("a file for the test");
    std::fs::write(folder.0.join("p.prp"), "CHECK( init(main()), LTL(G ! call(reach_error())) )\n").expect("another");
    assert_eq!(folder.run(&["check", "t.yml"]).last_line(), "Verdict: TRUE");
}

#[test]
fn each_function_of_a_library_is_checked() {
    let program = "#include <assert.h>\nstatic int hidden(int x) { assert(x); return x; }\nint good(int x) { return x & 1; }\n\
                   int bad(int *p, int n) {\n    assert(!p || n);\n    return 0;\n}\n";
    let folder = Folder::new("library", &[("t.c", program)]);
    let ran = folder.run(&["check", "t.c"]);
    for expected in ["good      unreach-call       0  TRUE", "bad       unreach-call       1  FALSE", "n = 0"] {
        assert!(ran.stdout.contains(expected), "{expected} is not in\n{}", ran.stdout);
    }
    assert!(!ran.stdout.contains("hidden"), "{}", ran.stdout);
    assert_eq!((ran.last_line(), ran.code), ("Verdict: FALSE(unreach-call)", Some(1)));
    assert_eq!(folder.run(&["check", "t.c", "--entry", "good"]).last_line(), "Verdict: TRUE");
    assert_eq!(folder.run(&["run", "t.c"]).code, Some(2));
}

#[test]
fn what_has_nothing_to_check_says_so() {
    let folder = Folder::new("nothing", &[("t.c", "int main(void) {\n    return 0;\n}\n")]);
    let ran = folder.run(&["check", "t.c"]);
    assert!(ran.stdout.contains("note: the program has no assertion and calls no error function"), "{}", ran.stdout);
    assert_eq!(ran.last_line(), "Verdict: TRUE");
}

#[test]
fn the_printed_program_is_read_again() {
    let folder = Folder::new("ir", &[("t.c", BUG)]);
    let printed = folder.run(&["ir", "t.c"]).stdout;
    std::fs::write(folder.0.join("t.ir"), &printed).expect("a file for the test");
    assert_eq!(folder.run(&["ir", "t.ir"]).stdout, printed);
    assert_eq!(folder.run(&["check", "t.ir"]).last_line(), "Verdict: FALSE(unreach-call)");
    let other = folder.run(&["check", "t.ir", "--property", "no-overflow"]);
    assert_eq!(other.code, Some(3), "the program was not made for this property: {}", other.stdout);
}

#[test]
fn choices_of_an_execution() {
    let program = "#include <stdio.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n    \
                   int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();\n    printf(\"%d %d\\n\", a, b);\n    \
                   return a;\n}\n";
    let folder = Folder::new(
        "choices",
        &[("t.c", program), ("c.txt", "7 # a\n-0x10\n"), ("few.txt", "7\n"), ("bad.txt", "1\nx\n")],
    );
    let zeros = folder.run(&["run", "t.c"]);
    assert_eq!((zeros.stdout.as_str(), zeros.code), ("0 0\n", Some(0)));
    let given = folder.run(&["run", "t.c", "--choices", "c.txt"]);
    assert_eq!((given.stdout.as_str(), given.code), ("7 -16\n", Some(7)));
    let few = folder.run(&["run", "t.c", "--choices", "few.txt"]);
    assert_eq!(few.code, Some(125), "{}", few.stderr);
    let bad = folder.run(&["run", "t.c", "--choices", "bad.txt"]);
    assert!(bad.code == Some(2) && bad.stderr.contains("bad.txt:2:1"), "{}", bad.stderr);
    let seeds: Vec<String> = (0..2).map(|_| folder.run(&["run", "t.c", "--seed", "5"]).stdout).collect();
    assert_eq!(seeds[0], seeds[1]);
}

#[test]
fn ends_of_executions() {
    let folder = Folder::new("ends", &[("bug.c", BUG), ("loop.c", LOOP), ("blocked.c", BLOCKED), ("asm.c", ASSEMBLER)]);
    for (arguments, code, message) in [
        (vec!["run", "bug.c"], 134, "unreach-call"),
        (vec!["run", "loop.c", "--steps", "1000"], 124, "steps"),
        (vec!["run", "loop.c", "--timeout", "0.1"], 124, "time"),
        (vec!["run", "blocked.c"], 123, "go on"),
        (vec!["run", "asm.c"], 125, "assembler"),
    ] {
        let ran = folder.run(&arguments);
        assert_eq!(ran.code, Some(code), "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(message), "{arguments:?}: {}", ran.stderr);
    }
    let early = Folder::new("early", &[("abort.c", ABORT), ("either.c", EITHER), ("one", "1\n")]);
    for (arguments, code) in
        [(vec!["abort.c"], 134), (vec!["either.c"], 134), (vec!["either.c", "--choices", "one"], 3)]
    {
        let ran = early.run(&[vec!["run"], arguments.clone()].concat());
        assert_eq!(ran.code, Some(code), "{arguments:?}: {}", ran.stderr);
    }
    let traced = folder.run(&["run", "bug.c", "--trace"]);
    assert!(traced.stderr.contains("x = 3"), "{}", traced.stderr);
}

const ABORT: &str = "void abort(void);\nint main(void) {\n    abort();\n}\n";
const EITHER: &str = "int __VERIFIER_nondet_int(void);\nvoid abort(void), exit(int);\nint main(void) {\n    \
                      if (__VERIFIER_nondet_int())\n        exit(259);\n    abort();\n}\n";
const BLOCKED: &str =
    "extern void __VERIFIER_assume(int);\nint main(void) {\n    __VERIFIER_assume(0);\n    return 0;\n}\n";
const ASSEMBLER: &str = "int main(void) {\n    __asm__(\"nop\");\n    return 0;\n}\n";

/// A program that takes a while, on a terminal and not on one.
const SLOW: &str = "extern unsigned __VERIFIER_nondet_uint(void);\nint main(void) {\n    \
    unsigned x = __VERIFIER_nondet_uint(), n = 0, y = x;\n    while (x != 1) {\n        \
    x = x % 2 ? 3 * x + 1 : x / 2;\n        n++;\n        if (n * y == 4294967291u && x % 7 == 3 && n > 1000)\n            \
    __VERIFIER_error();\n    }\n    return 0;\n}\n";

/// A pair of files: what is written to the second, a terminal, can be read from the first.
fn terminal() -> (std::fs::File, std::fs::File) {
    let (mut outside, mut inside) = (0, 0);
    let none = std::ptr::null_mut();
    // SAFETY: the first two pointers are valid, the others may be null; the descriptors are owned by nobody else.
    unsafe {
        assert_eq!(libc::openpty(&mut outside, &mut inside, none, none.cast(), none.cast()), 0);
        (std::fs::File::from_raw_fd(outside), std::fs::File::from_raw_fd(inside))
    }
}

#[test]
fn progress_is_shown_on_a_terminal_and_erased() {
    let folder = Folder::new("progress", &[("t.c", SLOW)]);
    let arguments = ["check", "t.c", "--engine", "predicate", "--no-execution", "--timeout", "1"];
    let (mut outside, inside) = terminal();
    let mut child =
        folder.fathom(&arguments).stdout(Stdio::null()).stderr(inside).env("TERM", "xterm").spawn().expect("runs");
    let (mut shown, mut buffer) = (Vec::new(), [0; 4096]);
    // Reading a terminal that nobody holds open any more is an error.
    while let Ok(count @ 1..) = outside.read(&mut buffer) {
        shown.extend_from_slice(&buffer[..count]);
    }
    child.wait().expect("it ends");
    let shown = String::from_utf8_lossy(&shown);
    assert!(shown.contains("\r\x1b[Kpredicate: refinements "), "{shown:?}");
    assert!(shown.ends_with("\r\x1b[K"), "{shown:?}");

    let ran = folder.run(&arguments);
    assert_eq!((ran.last_line(), ran.stderr.as_str()), ("Verdict: UNKNOWN(timeout)", ""));
}

/// One small program of the bench: the figures are those of the paper.
#[test]
fn the_bench_measures() {
    let arguments = ["bench", "lbe", "--only", "locks_5.c", "--configurations", "lbe", "--format", "json"];
    let ran = Ran::of(fathom().args(arguments));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let document: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(document["rows"].as_array().map(Vec::len), Some(1));
    let run = &document["rows"][0]["runs"][0];
    assert_eq!((run["answer"].as_str(), run["figures"]["nodes"].as_u64()), (Some("TRUE"), Some(4)));
    assert!(run["peak_bytes"].as_u64() > Some(1 << 20) && run["seconds"].as_f64() > Some(0.0), "{run}");
}

#[test]
fn a_bench_needs_its_folder() {
    let ran = Ran::of(fathom().args(["bench", "lbe", "no/such/folder"]));
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
}

/// A state machine that needs predicates.
const MACHINE: &str = "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n    int s = 0, b = 0;\n    while (__VERIFIER_nondet_int()) {\n        if (s == 0) s = 1;\n        \
    else if (s == 1) { b = 1; s = 2; }\n        else if (s == 2 && !b) __VERIFIER_error();\n    }\n    return 0;\n}\n";

/// What a run keeps, another one begins with: on the same program nothing is left to refine, and of one with other variables a note tells.
#[test]
fn predicates_go_from_run_to_run() {
    let renamed = MACHINE.replace(" b ", " c ").replace("!b", "!c");
    let folder = Folder::new("predicates", &[("t.c", MACHINE), ("u.c", &renamed)]);
    let run = |file: &str, more: &[&str]| {
        let ran = folder.run(&[&["check", file, "--engine", "predicate", "--no-execution", "--stats"], more].concat());
        assert_eq!(ran.last_line(), "Verdict: TRUE", "{}{}", ran.stdout, ran.stderr);
        let line = ran.stdout.lines().find(|line| line.trim().starts_with("refinements  ")).map(str::to_string);
        let refinements = line.as_ref().and_then(|line| line.split_whitespace().last()?.parse::<u32>().ok());
        (refinements.unwrap_or_else(|| panic!("{}", ran.stdout)), ran.stdout)
    };
    let (first, _) = run("t.c", &["--keep-predicates", "p.txt"]);
    assert!(first > 0);
    let (second, told) = run("t.c", &["--reuse-predicates", "p.txt"]);
    assert_eq!(second, 0, "{told}");
    assert!(!told.contains("do not fit"), "{told}");
    let (_, told) = run("u.c", &["--reuse-predicates", "p.txt"]);
    assert!(told.contains("do not fit the program"), "{told}");

    let ran = folder.run(&["check", "t.c", "--reuse-predicates", "none.txt"]);
    assert_eq!(ran.code, Some(2), "{}{}", ran.stdout, ran.stderr);
}

/// A proof that lists states needs no solver where all values are known, and the certificate says so.
#[test]
fn states_are_followed_without_a_solver() {
    let text = "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int i = 0;\n  while (__VERIFIER_nondet_int())\n    \
        i = i < 3 ? i + 1 : 0;\n  if (i > 3) __VERIFIER_error();\n  return 0;\n}\n";
    let folder = Folder::new("followed", &[("t.c", text)]);
    let ran = folder.run(&["check", "t.c", "--engine", "explicit", "--no-execution"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("checked by following each of its states"), "{}", ran.stdout);
}
