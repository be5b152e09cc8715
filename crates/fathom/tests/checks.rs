//! Single checks and their verdicts, and `fathom scan`, as users see them.

mod support;

use serde_json::Value;
use std::time::{Duration, Instant};
use support::Folder;

/// The document that a command prints.
fn json(folder: &Folder, arguments: &[&str]) -> Value {
    let ran = folder.run(&[arguments, &["--format", "json"]].concat());
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {}{}", ran.stdout, ran.stderr))
}

/// The verdicts on the checks of a property, in the order of their lines.
fn verdicts(document: &Value, property: &str) -> Vec<(u64, String)> {
    let results = document["results"].as_array().expect("results");
    let of = |result: &&Value| result["properties"][0] == property;
    let checks = results.iter().filter(of).flat_map(|result| result["verdicts"].as_array().expect("verdicts"));
    let told = |check: &Value| {
        (check["place"]["line"].as_u64().unwrap_or(0), check["verdict"].as_str().unwrap_or("").to_string())
    };
    let mut found: Vec<(u64, String)> = checks.map(told).collect();
    found.sort();
    found
}

const MIXED: &str = "extern int __VERIFIER_nondet_int(void);
int table[8];
static int get(int i) {
    return table[i];
}
int main(void) {
    int n = __VERIFIER_nondet_int(), sum = 0;
    for (int i = 0; i < 8; i++)
        sum |= get(i);
    if (n >= 0 && n < 9)
        table[n] = 1;
    return sum / n;
}
";

/// Each check has a verdict of its own: what is violated hides nothing else.
#[test]
fn checks_of_one_program_have_different_verdicts() {
    let folder = Folder::new("verdicts", &[("t.c", MIXED)]);
    let document = json(&folder, &["check", "t.c", "--property", "all", "--timeout", "60"]);
    let lines = |property| verdicts(&document, property);
    let proved: Vec<u64> = lines("array-bounds").iter().filter(|(_, v)| v == "proved").map(|(line, _)| *line).collect();
    assert!(proved.contains(&4), "{document:#}");
    assert!(lines("array-bounds").contains(&(11, "refuted".to_string())), "{document:#}");
    assert_eq!(lines("div-by-zero"), [(12, "refuted".to_string())]);
    assert!(document["summary"]["open"] == 0 && document["summary"]["refuted"].as_u64() > Some(1), "{document:#}");
    let text = folder.run(&["check", "t.c", "--property", "all", "--timeout", "60"]);
    assert!(text.stdout.contains(" refuted, 0 open\n"), "{}", text.stdout);
    assert_eq!(text.last_line(), "Verdict: FALSE(valid-deref)");
}

/// A proof that stands behind a violation says so.
#[test]
fn what_is_cut_off_is_not_simply_proved() {
    let program = "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n    int x = __VERIFIER_nondet_int();\n\
                   \u{20}   int y = 100 / x;\n    if (x == 0)\n        return 1 / x;\n    return y;\n}\n";
    let folder = Folder::new("behind", &[("t.c", program)]);
    let document =
        json(&folder, &["check", "t.c", "--property", "div-by-zero", "--property", "all", "--timeout", "60"]);
    let expected = [(4, "refuted".to_string()), (6, "proved".to_string())];
    assert_eq!(verdicts(&document, "div-by-zero"), expected, "{document:#}");
    let results = document["results"].as_array().expect("results");
    let checks =
        results.iter().find(|result| result["properties"][0] == "div-by-zero").map(|result| &result["verdicts"]);
    let behind = checks.and_then(Value::as_array).and_then(|all| all.iter().find(|check| check["verdict"] == "proved"));
    assert_eq!(behind.map(|check| &check["provided"]["count"]), Some(&Value::from(1)), "{document:#}");
    let text = folder.run(&["check", "t.c", "--property", "all", "--timeout", "60"]);
    let note = "* 1 of the proved checks comes behind a check that is not proved, such as t.c:4";
    assert!(text.stdout.contains(note), "{}", text.stdout);
    assert!(text.stdout.contains("* proved, 1 refuted"), "{}", text.stdout);
    let scan = folder.run(&["scan", "t.c", "--property", "div-by-zero", "--timeout", "60"]);
    let row = scan.stdout.lines().find(|line| line.starts_with("div-by-zero")).unwrap_or_default();
    assert!(row.split_whitespace().any(|cell| cell == "1*"), "{}", scan.stdout);
}

/// What holds of executions inside objects alone is marked, and the mark explained; where accesses are proved there is none.
#[test]
fn a_proof_beside_a_wild_access_is_marked() {
    let program = |index: u32| {
        format!(
            "int table[4];\nint main(void) {{\n    table[{index}] = 1;\n    int x = table[0] & 7;\n    return x + 1;\n}}\n"
        )
    };
    for (index, marked) in [(3, false), (4, true)] {
        let folder = Folder::new("wild", &[("t.c", &program(index))]);
        let arguments = ["check", "t.c", "--property", "all", "--timeout", "60"];
        let ran = folder.run(&arguments);
        let row = ran.stdout.lines().find(|line| line.starts_with("no-overflow")).unwrap_or_default();
        let expected = if marked { "TRUE*" } else { "TRUE" };
        assert!(row.split_whitespace().any(|cell| cell == expected), "{}", ran.stdout);
        let explained = "* of executions in which no access leaves its object: valid-deref is not proved";
        assert_eq!(ran.stdout.contains(explained), marked, "{}", ran.stdout);
        let document = json(&folder, &arguments);
        let results = document["results"].as_array().expect("results");
        let result = results.iter().find(|result| result["properties"][0] == "no-overflow").expect("a result");
        assert_eq!(result["provided"][0] == "valid-deref", marked, "{document:#}");
    }
}

/// Where nothing decides, the report says who tried and what may help, and the verdict is in words that need no knowledge of engines.
#[test]
fn what_is_not_decided_says_what_was_tried() {
    let program = "extern unsigned long __VERIFIER_nondet_ulong(void);\nextern void __VERIFIER_error(void);\n\
                   int main(void) {\n    unsigned long a = __VERIFIER_nondet_ulong(), b = __VERIFIER_nondet_ulong();\n\
                   \u{20}   if (a > 1 && b > 1 && a < 4294967296 && b < 4294967296 && a * b == 18446743979220271189ul)\n\
                   \u{20}       __VERIFIER_error();\n    return 0;\n}\n";
    let folder = Folder::new("tried", &[("t.c", program)]);
    let ran = folder.run(&["check", "t.c", "--timeout", "2"]);
    if ran.code == Some(3) {
        assert!(ran.stdout.contains("a longer --timeout may help"), "{}", ran.stdout);
        assert_eq!(ran.last_line(), "Verdict: UNKNOWN(timeout)");
    }
    let ran = folder.run(&["check", "t.c", "--engine", "dataflow", "--timeout", "20"]);
    let expected = "Verdict: UNKNOWN(ranges and relations of variables do not exclude the violation)";
    assert_eq!(ran.last_line(), expected, "{}", ran.stdout);
    assert!(ran.stdout.contains("tried: dataflow; "), "{}", ran.stdout);
}

/// A hard check takes only its share of the time: the others have verdicts, and it says what was tried.
#[test]
fn one_hard_check_does_not_hide_the_others() {
    let program = "extern unsigned long __VERIFIER_nondet_ulong(void);\nextern void __assert_fail();\n\
                   int main(void) {\n    unsigned long a = __VERIFIER_nondet_ulong(), b = __VERIFIER_nondet_ulong();\n\
                   \u{20}   int x[2];\n    x[a % 2] = 1;\n    if (a > 1 && b > 1 && a < 4294967296 && b < 4294967296)\n\
                   \u{20}       x[a * b == 18446743979220271189ul ? 2 : 0] = 1;\n    x[b % 3] = 2;\n    return 0;\n}\n";
    let folder = Folder::new("hard", &[("t.c", program)]);
    let start = Instant::now();
    let document = json(&folder, &["scan", "t.c", "--property", "array-bounds", "--timeout", "6"]);
    assert!(start.elapsed() < Duration::from_secs(12), "{:?}", start.elapsed());
    let found = verdicts(&document, "array-bounds");
    assert!(found.contains(&(6, "proved".to_string())) && found.contains(&(9, "refuted".to_string())), "{document:#}");
    let results = document["results"][0]["verdicts"].as_array().expect("verdicts").clone();
    let open = results.iter().find(|check| check["verdict"] == "open");
    let text = open.and_then(|check| check["reason"]["text"].as_str()).unwrap_or_default();
    assert!(open.is_none() || text.contains("a longer --timeout may help"), "{document:#}");
}

/// A property without checks costs nothing, whatever else the program is.
#[test]
fn what_has_no_checks_is_no_timeout() {
    let program = "int main(int argc, char **argv) {\n    unsigned n = argc;\n    while (n != 1)\n\
                   \u{20}       n = n % 2 ? 3 * n + 1 : n / 2;\n    __asm__(\"nop\");\n    return 0;\n}\n";
    let folder = Folder::new("without", &[("t.c", program)]);
    let document = json(&folder, &["check", "t.c", "--property", "all", "--timeout", "3"]);
    for result in document["results"].as_array().expect("results").iter().filter(|result| result["checks"] == 0) {
        assert_ne!(result["reason"]["kind"], "timeout", "{result:#}");
    }
}

#[test]
fn a_program_is_scanned() {
    let folder = Folder::new("scan", &[("t.c", MIXED)]);
    let ran = folder.run(&["scan", "t.c", "--timeout", "60"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
    let rows: Vec<Vec<&str>> = ran.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
    let row = |name: &str| rows.iter().find(|row| row.first() == Some(&name)).cloned().unwrap_or_default();
    assert_eq!(row("property"), ["property", "checks", "proved", "by", "analyses", "refuted", "unknown", "time"]);
    assert_eq!(row("div-by-zero")[..5], ["div-by-zero", "1", "0", "0", "1"]);
    assert!(!row("get").is_empty() && !row("main").is_empty(), "{}", ran.stdout);
    assert!(ran.stdout.contains("error: div-by-zero is violated: division by zero"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("=>"), "executions are shown only with --traces\n{}", ran.stdout);
    assert!(folder.run(&["scan", "t.c", "--timeout", "60", "--traces"]).stdout.contains("=>"));
    assert_eq!(ran.last_line(), "Verdict: FALSE(valid-deref)");
    assert!(ran.stderr.is_empty(), "{}", ran.stderr);
}

/// Without engines nothing is refuted, and what analyses decide is the same.
#[test]
fn analyses_alone_decide_most() {
    let folder = Folder::new("static", &[("t.c", MIXED)]);
    let document = json(&folder, &["scan", "t.c", "--static-only", "--property", "array-bounds"]);
    assert_eq!((&document["summary"]["refuted"], &document["verdict"]), (&Value::from(0), &Value::from("UNKNOWN")));
    assert!(verdicts(&document, "array-bounds").contains(&(4, "proved".to_string())), "{document:#}");
    assert_eq!(document["by_property"][0]["without_search"], document["summary"]["proved"]);
}

/// Each function of a library is an entry; a place that several of them come to is one check.
#[test]
fn a_library_is_scanned() {
    let program = "static int shared(int x) { return 10 / x; }\nint one(int x) { return x > 0 ? shared(x) : 0; }\n\
                   int two(int x) { return shared(x | 1); }\nint bad(int x) { return shared(x); }\n";
    let folder = Folder::new("entries", &[("t.c", program)]);
    let document = json(&folder, &["scan", "t.c", "--property", "div-by-zero", "--timeout", "60"]);
    assert_eq!(document["results"].as_array().map(Vec::len), Some(3), "{document:#}");
    assert_eq!((&document["summary"]["checks"], &document["summary"]["refuted"]), (&Value::from(1), &Value::from(1)));
    assert_eq!(document["by_function"][0]["function"], "shared");
    let sarif = folder.run(&["scan", "t.c", "--property", "div-by-zero", "--timeout", "60", "--format", "sarif"]);
    let sarif: Value = serde_json::from_str(&sarif.stdout).expect("one document");
    assert_eq!(sarif["runs"][0]["results"].as_array().map(Vec::len), Some(1), "{sarif:#}");
    assert_eq!(sarif["runs"][0]["properties"]["checks"].as_array().map(Vec::len), Some(3), "{sarif:#}");
}
