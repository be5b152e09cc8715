//! Programs of extreme shape are parsed or refused, but never exhaust the stack or the user's patience.

use super::{diagnostics, parsed};
use crate::syntax::MAX_NESTING;

/// A function around `middle`, which is wrapped `count` times.
fn nested(open: &str, middle: &str, close: &str, count: usize) -> String {
    format!("void f(void) {{ {}{middle}{}; }}", open.repeat(count), close.repeat(count))
}

#[track_caller]
fn check_accepted(text: &str) {
    let (_, diagnostics) = diagnostics(text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
}

#[track_caller]
fn check_refused(text: &str) {
    let (_, diagnostics) = diagnostics(text);
    let messages: Vec<&str> = diagnostics.iter().map(|diagnostic| diagnostic.message.as_str()).collect();
    assert_eq!(messages, ["the program is nested too deeply here"]);
}

/// What can nest: the text that opens it, what stands in the middle, and the text that closes it.
const SHAPES: [(&str, &str, &str); 16] = [
    ("(", "x", ")"),
    ("f(", "x", ")"),
    ("a[", "x", "]"),
    ("-", "x", ""),
    ("(int)", "x", ""),
    ("sizeof ", "x", ""),
    ("{", "x;", "}"),
    ("if (x) ", "x", ""),
    ("while (x) { ", "x;", "}"),
    ("({", "x", ";})"),
    ("x ? ", "x", " : x"),
    ("x = ", "x", ""),
    ("sizeof(int[", "x", "])"),
    ("struct { ", "int x;", "} x;"),
    ("sizeof(typeof(", "x", "))"),
    ("&(int){", "x", "}"),
];

#[test]
fn nesting_that_people_write() {
    for (open, middle, close) in SHAPES {
        check_accepted(&nested(open, middle, close, 1));
        check_accepted(&nested(open, middle, close, 1500));
    }
}

#[test]
fn nesting_without_end() {
    for (open, middle, close) in SHAPES {
        check_refused(&nested(open, middle, close, 100_000));
        // What is never closed is no worse.
        check_refused(&nested(open, middle, "", 100_000));
    }
    check_refused(&format!("int {}x;", "(".repeat(100_000)));
    check_refused(&format!("int f{};", "(int g".repeat(100_000)));
}

#[test]
fn chains_that_need_no_stack() {
    let count = 200_000;
    check_accepted(&format!("void f(void) {{ {} x; }}", "if (x) y; else ".repeat(count)));
    check_accepted(&format!("void f(void) {{ {} x; }}", "case 1: l: default: ".repeat(count)));
    check_accepted(&format!("void f(void) {{ {} }}", "x;".repeat(count)));
    check_accepted(&format!("int {}x;", "*".repeat(count)));
    check_accepted(&format!("int x{};", "[1]".repeat(count)));
    check_accepted(&format!("int x[] = {{ {} }};", "1, ".repeat(count)));
    check_accepted(&format!("char *x = {};", "\"a\" ".repeat(count)));
    check_accepted(&format!("{} int x;", "__extension__ ".repeat(count)));
}

#[test]
fn long_chains_of_operators_are_trees_of_limited_height() {
    for operator in ["+ x", "&& x", ", x", "[x]", "(x)", ".x", "++"] {
        let chain = |count: usize| format!("void f(void) {{ x {}; }}", operator.repeat(count));
        check_accepted(&chain(MAX_NESTING as usize / 2));
        check_refused(&chain(MAX_NESTING as usize * 2));
    }
    // Chains inside chains, through types and statements too.
    let half = "+ x".repeat(MAX_NESTING as usize / 2 - 50);
    check_accepted(&format!("void f(void) {{ (x {half}) {half}; }}"));
    check_refused(&format!("void f(void) {{ ((x {half}) {half}) {half}; }}"));
    check_refused(&format!("void f(void) {{ ({{ ({{ x {half}; }}) {half}; }}) {half}; }}"));
    check_refused(&format!("void f(void) {{ sizeof(int[sizeof(int[x {half}]) {half}]) {half}; }}"));
}

#[test]
fn recovery_takes_linear_time() {
    for piece in
        ["(", "{", "[", "for (", "int (", "struct {", "__attribute__((", "x y ", "} ", ") ", "\"", "'", "/*", "#"]
    {
        assert!(parsed(&piece.repeat(300_000)).is_err(), "{piece}");
    }
}
