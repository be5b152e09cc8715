//! Witnesses and harnesses: what Fathom writes is confirmed by Fathom and shown by the machine; what others write is read; what
//! is wrong is not confirmed.

mod support;

use std::path::PathBuf;
use support::{Ran, fathom};

/// A program with files about it, in a folder that is removed again.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, program: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("fathom-witness-test-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for the test");
        std::fs::write(folder.join("t.c"), program).expect("a file for the test");
        Folder(folder)
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        Ran::of(fathom().current_dir(&self.0).args(arguments))
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).expect("a file for the test");
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap_or_default()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const BUG: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n    \
    int x = __VERIFIER_nondet_int();\n    int y = __VERIFIER_nondet_int();\n    if (x == 17)\n        y++;\n    else\n        \
    y--;\n    if (x == 17 && y == 4)\n        reach_error();\n    return 0;\n}\n";

const SAFE: &str = "extern void reach_error(void);\nextern unsigned __VERIFIER_nondet_uint(void);\nint main(void) {\n    \
    unsigned n = __VERIFIER_nondet_uint(), i = 0, j = 0;\n    if (n > 1000)\n        return 0;\n    while (i < n) {\n        \
    i++;\n        j++;\n    }\n    if (i != j)\n        reach_error();\n    return 0;\n}\n";

/// Checks a program with a property, and the witness that comes of it; the verdict of both.
fn round(name: &str, program: &str, property: &str, verdict: &str) -> String {
    let folder = Folder::new(name, program);
    let checked = folder.run(&["check", "t.c", "--property", property, "--witness", "w.yml", "--timeout", "30"]);
    assert_eq!(checked.last_line(), verdict, "{name}: {}", checked.stderr);
    let witness = folder.read("w.yml");
    let validated = folder.run(&["validate", "t.c", "--witness", "w.yml", "--timeout", "30"]);
    assert_eq!(
        (validated.last_line(), validated.code),
        (verdict, checked.code),
        "{name}: {witness}{}",
        validated.stderr
    );
    witness
}

#[test]
fn what_fathom_writes_fathom_confirms() {
    let witness = round("bug", BUG, "unreach-call", "Verdict: FALSE(unreach-call)");
    assert!(witness.contains("type: function_return") && witness.contains("\\\\result == 17"), "{witness}");
    round("safe", SAFE, "unreach-call", "Verdict: TRUE");
    let overflow = "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n    int x = __VERIFIER_nondet_int();\n    \
                    if (x > 5)\n        x = x + 100;\n    return x;\n}\n";
    round("overflow", overflow, "no-overflow", "Verdict: FALSE(no-overflow)");
    let memory = "#include <stdlib.h>\nint main(void) {\n    int *p = malloc(8);\n    p[2] = 1;\n    free(p);\n    return 0;\n}\n";
    round("memory", memory, "valid-memsafety", "Verdict: FALSE(valid-deref)");
    let leak = "#include <stdlib.h>\nint main(void) {\n    int *p = malloc(8);\n    return p == 0;\n}\n";
    round("leak", leak, "valid-memcleanup", "Verdict: FALSE(valid-memcleanup)");
    // Locking gives no results that decide about an execution.
    let threads = "#include <pthread.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nint main(void) {\n    \
                   pthread_mutex_lock(&m);\n    pthread_mutex_lock(&m);\n    return 0;\n}\n";
    round("deadlock", threads, "no-deadlock", "Verdict: FALSE(no-deadlock)");
    let line = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n\
                int main(void) { int x = __VERIFIER_nondet_int(); if (x < 9) assert(x != 3); return 0; }\n";
    round("line", line, "unreach-call", "Verdict: FALSE(unreach-call)");
    let contract = "extern int __VERIFIER_nondet_int(void);\n\
                    int half(int n)\n    __fathom_requires(n % 2 == 0);\nint half(int n) { return n / 2; }\n\
                    int main(void) {\n    return half(__VERIFIER_nondet_int());\n}\n";
    round("contract", contract, "unreach-call", "Verdict: FALSE(unreach-call)");
}

/// A program of two files: the violation is in the second.
const TWO: [&str; 2] = [
    "extern int __VERIFIER_nondet_int(void);\nint check(int);\nint main(void) {\n    \
     return check(__VERIFIER_nondet_int());\n}\n",
    "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n\nint check(int n) {\n    if (n > 5)\n        \
     assert(__VERIFIER_nondet_int()\n            != 10);\n    return 0;\n}\n",
];

#[test]
fn witnesses_tell_files_apart() {
    let folder = Folder::new("files", TWO[0]);
    folder.write("other.c", TWO[1]);
    let checked = folder.run(&["check", "t.c", "other.c", "--witness", "w.yml", "--timeout", "30"]);
    assert_eq!(checked.last_line(), "Verdict: FALSE(unreach-call)", "{}", checked.stderr);
    let validate =
        || folder.run(&["validate", "t.c", "other.c", "--witness", "w.yml", "--timeout", "30"]).last_line().to_string();
    let witness = folder.read("w.yml");
    assert_eq!(validate(), "Verdict: FALSE(unreach-call)", "{witness}");
    folder.write("w.yml", &witness.replace("file_name: \"other.c\"", "file_name: \"t.c\""));
    assert!(validate().starts_with("Verdict: UNKNOWN(the witness is not confirmed"), "{witness}");
}

#[test]
fn inputs_that_macros_move_are_in_the_harness() {
    if !has_compiler() {
        return;
    }
    let folder = Folder::new("moved", TWO[0]);
    folder.write("other.c", TWO[1]);
    let ran = folder.run(&["check", "t.c", "other.c", "--replay", "native", "--timeout", "30"]);
    let told = format!("{}{}", ran.stdout, ran.stderr);
    assert!(told.contains("native: the violation shows"), "{told}");
}

#[test]
fn nothing_is_written_where_nothing_is_known() {
    let folder = Folder::new("unknown", "int main(void) {\n    __asm__(\"nop\");\n    __VERIFIER_error();\n}\n");
    let ran = folder.run(&["check", "t.c", "--witness", "w.yml", "--timeout", "5"]);
    assert_eq!(ran.code, Some(3), "{}", ran.stdout);
    assert_eq!(folder.read("w.yml"), "");
}

/// A witness as another tool would write it.
fn violation(waypoints: &[&str]) -> String {
    let segments: Vec<String> =
        waypoints.iter().map(|waypoint| format!("  - segment:\n    - waypoint: {{{waypoint}}}\n")).collect();
    format!(
        "- entry_type: violation_sequence\n  metadata:\n    format_version: '2.0'\n    producer: {{name: other, version: '1'}}\n    \
         task:\n      input_files: [t.c]\n      specification: G ! call(reach_error())\n      data_model: LP64\n      \
         language: C\n  content:\n{}",
        segments.concat()
    )
}

fn check_violation(waypoints: &[&str], verdict: &str) {
    let folder = Folder::new("others", BUG);
    folder.write("w.yml", &violation(waypoints));
    let ran = folder.run(&["validate", "t.c", "--witness", "w.yml", "--timeout", "20"]);
    assert_eq!(ran.last_line(), verdict, "{waypoints:?} {}{}", ran.stdout, ran.stderr);
    std::mem::drop(folder);
}

#[test]
fn waypoints_of_all_kinds_lead_to_the_target() {
    let target = "type: target, action: follow, location: {file_name: t.c, line: 11, column: 9}";
    let confirmed = "Verdict: FALSE(unreach-call)";
    let rejected = "Verdict: UNKNOWN(the witness is not confirmed: no execution that comes by its waypoints violates the property)";
    let assumption = |value: &str| {
        format!("type: assumption, action: follow, location: {{line: 6, column: 5}}, constraint: {{value: '{value}'}}")
    };
    let branch = |value: bool| {
        format!("type: branching, action: follow, location: {{line: 6, column: 5}}, constraint: {{value: '{value}'}}")
    };
    let returned = |value: &str| {
        format!(
            "type: function_return, action: follow, location: {{line: 4, column: 35}}, constraint: {{value: '\\result == {value}'}}"
        )
    };
    let enter = "type: function_enter, action: follow, location: {line: 11, column: 21}";
    check_violation(&[target], confirmed);
    check_violation(&[&assumption("x == 17 && y == 3"), target], confirmed);
    check_violation(&[&assumption("x == 18"), target], rejected);
    check_violation(&[&branch(true), target], confirmed);
    check_violation(&[&branch(false), target], rejected);
    check_violation(&[&returned("17"), target], confirmed);
    check_violation(&[&returned("3"), target], rejected);
    check_violation(&[enter, "type: target, action: follow, location: {line: 9, column: 9}"], rejected);
    let avoided = assumption("x == 17").replace("follow", "avoid");
    let folder = Folder::new("avoid", BUG);
    let text =
        violation(&[target]).replace("  - segment:\n", &format!("  - segment:\n    - waypoint: {{{avoided}}}\n"));
    folder.write("w.yml", &text);
    assert_eq!(folder.run(&["validate", "t.c", "--witness", "w.yml"]).last_line(), rejected);
}

/// The older form: an automaton in GraphML.
#[test]
fn automata_in_graphml_are_read() {
    let edge = |from: &str, to: &str, line: u32, assumption: &str| {
        format!(
            "<edge source=\"{from}\" target=\"{to}\"><data key=\"startline\">{line}</data><data \
             key=\"assumption\">{assumption}</data></edge>\n"
        )
    };
    let check = |x: u32, verdict: &str| {
        let folder = Folder::new(&format!("graphml-{x}"), BUG);
        let edges = [
            edge("a", "b", 4, &format!("\\result == {x};")),
            edge("b", "c", 5, "y == (3);"),
            edge("c", "d", 7, "z == 1;"),
        ];
        let text = format!(
            "<?xml version=\"1.0\"?>\n<graphml>\n<graph edgedefault=\"directed\">\n<data key=\"witness-type\">violation_witness\
             </data>\n<data key=\"specification\">CHECK( init(main()), LTL(G ! call(reach_error())) )</data>\n\
             <node id=\"a\"><data key=\"entry\">true</data></node>\n<node id=\"b\"/><node id=\"c\"/>\n\
             <node id=\"d\"><data key=\"violation\">true</data></node>\n{}</graph>\n</graphml>\n",
            edges.concat()
        );
        folder.write("w.graphml", &text);
        let ran = folder.run(&["validate", "t.c", "--witness", "w.graphml", "--timeout", "20"]);
        assert!(ran.last_line().starts_with(verdict), "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.contains("note: the waypoint in line 7 is left out"), "{}", ran.stdout);
    };
    check(17, "Verdict: FALSE(unreach-call)");
    check(18, "Verdict: UNKNOWN(the witness is not confirmed: no execution");
}

fn check_invariant(kind: &str, line: u32, column: u32, value: &str, verdict: &str) {
    let folder = Folder::new(&format!("invariant-{line}-{}", value.len()), SAFE);
    let text = format!(
        "- entry_type: invariant_set\n  metadata:\n    task: {{specification: 'CHECK( init(main()), LTL(G ! call(reach_error())) )', \
         data_model: ILP32}}\n  content:\n  - invariant:\n      type: {kind}\n      location: {{line: {line}, column: {column}}}\n      \
         value: '{value}'\n      format: c_expression\n"
    );
    folder.write("w.yml", &text);
    let ran = folder.run(&["validate", "t.c", "--witness", "w.yml", "--timeout", "20"]);
    assert!(ran.last_line().starts_with(verdict), "{value}: {}{}", ran.stdout, ran.stderr);
}

#[test]
fn invariants_are_checked() {
    check_invariant("loop_invariant", 7, 5, "i == j && i <= n", "Verdict: TRUE");
    check_invariant("location_invariant", 8, 9, "i < n", "Verdict: TRUE");
    let broken = "Verdict: UNKNOWN(the witness is not confirmed: the invariant in line 7 does not hold)";
    check_invariant("loop_invariant", 7, 5, "i == 0 && j == 0", broken);
    let unknown = "Verdict: UNKNOWN(the witness is not confirmed: ";
    check_invariant("loop_invariant", 7, 5, "nobody == 1", unknown);
    check_invariant("loop_invariant", 8, 9, "i == j", unknown);
    check_invariant("loop_invariant", 7, 5, "(i = j)", unknown);
}

#[test]
fn what_is_no_witness_is_input_that_is_none() {
    let folder = Folder::new("none", SAFE);
    folder.write("w.yml", "nothing\n");
    assert_eq!(folder.run(&["validate", "t.c", "--witness", "w.yml"]).code, Some(2));
    assert_eq!(folder.run(&["validate", "t.c", "--witness", "missing.yml"]).code, Some(2));
}

/// Whether a C compiler is there to run what Fathom writes.
fn has_compiler() -> bool {
    let is_there = std::process::Command::new("cc").arg("--version").output().is_ok();
    if !is_there {
        eprintln!("cc is not installed: LEFT OUT");
    }
    is_there
}

#[test]
fn harnesses_show_violations() {
    if !has_compiler() {
        return;
    }
    let folder = Folder::new("harness", BUG);
    let ran = folder.run(&["check", "t.c", "--harness", "h.c", "--replay", "native"]);
    assert!(ran.stdout.contains("note: native: the violation shows: an error function is called"), "{}", ran.stdout);
    let harness = folder.read("h.c");
    assert!(harness.contains("{17LL, 3LL}"), "{harness}");
    let division = "extern unsigned __VERIFIER_nondet_uint(void);\nint main(void) {\n    return 10 / __VERIFIER_nondet_uint();\n}\n";
    let folder = Folder::new("division", division);
    let ran = folder.run(&["check", "t.c", "--property", "div-by-zero", "--replay", "native"]);
    assert!(ran.stdout.contains("note: native: the violation shows: "), "{}", ran.stdout);
    // Nothing runs that was not asked for.
    let ran = folder.run(&["check", "t.c", "--property", "div-by-zero"]);
    assert!(!ran.stdout.contains("native"), "{}", ran.stdout);
}
