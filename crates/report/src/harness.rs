//! A harness in C: what the environment returns in an execution that violates a property, so that the program can be compiled
//! with it and run.
//!
//! The definitions are weak: what the program defines itself counts. After the values that the execution tells, zeros follow.

use crate::literal::literal;
use driver::report::{Report, Violation};
use std::collections::BTreeMap;
use std::fmt::Write;

/// What the harness prints when an error function is called.
pub const REACHED: &str = "fathom: an error function is called";

/// The functions that give arbitrary values, and the types that they return.
const FUNCTIONS: [(&str, &str); 27] = [
    ("bool", "_Bool"),
    ("_Bool", "_Bool"),
    ("char", "char"),
    ("uchar", "unsigned char"),
    ("schar", "signed char"),
    ("unsigned_char", "unsigned char"),
    ("short", "short"),
    ("ushort", "unsigned short"),
    ("int", "int"),
    ("uint", "unsigned int"),
    ("unsigned", "unsigned int"),
    ("unsigned_int", "unsigned int"),
    ("long", "long"),
    ("ulong", "unsigned long"),
    ("longlong", "long long"),
    ("ulonglong", "unsigned long long"),
    ("size_t", "unsigned long"),
    ("loff_t", "long"),
    ("sector_t", "unsigned long"),
    ("u8", "unsigned char"),
    ("u16", "unsigned short"),
    ("u32", "unsigned int"),
    ("u64", "unsigned long long"),
    ("float", "float"),
    ("double", "double"),
    ("pointer", "void *"),
    ("pchar", "char *"),
];

const NONDET: &str = "__VERIFIER_nondet_";

/// The type that a function of the environment returns.
pub(crate) fn type_of(function: &str) -> Option<&'static str> {
    let suffix = function.strip_prefix(NONDET)?;
    FUNCTIONS.iter().find(|(known, _)| *known == suffix).map(|(_, ty)| *ty)
}

/// The harness for an execution.
pub fn harness(report: &Report, violation: &Violation) -> String {
    let mut values: BTreeMap<String, Vec<String>> =
        FUNCTIONS.iter().map(|(suffix, _)| (format!("{NONDET}{suffix}"), Vec::new())).collect();
    let mut others = Vec::new();
    for input in &violation.inputs {
        let name = input.function.as_str();
        let ty = type_of(name);
        if ty.is_none() && report.unknown_functions.iter().all(|unknown| unknown.name != input.function) {
            others.push(name);
            continue;
        }
        values.entry(name.to_string()).or_default().push(literal(&input.value, ty.unwrap_or("long long")));
    }
    let mut out = String::new();
    let place = violation.place.map(|place| format!("{place}: ")).unwrap_or_default();
    let _ = writeln!(
        out,
        "/* An execution of {} that violates {}: {place}{}. */\n",
        report.file, violation.property, violation.text
    );
    others.sort_unstable();
    others.dedup();
    for other in others {
        let _ = writeln!(out, "/* What {other} returns is left to the system. */");
    }
    out.push_str("#include <stdio.h>\n#include <stdlib.h>\n\n");
    for (name, values) in values {
        let ty = type_of(&name).unwrap_or("long long");
        let count = values.len();
        let list = if values.is_empty() { "0".to_string() } else { values.join(", ") };
        let _ = writeln!(
            out,
            "__attribute__((weak)) {ty} {name}(void) {{\n    static {ty} values[] = {{{list}}};\n    static unsigned next;\n    \
             return next < {count} ? values[next++] : 0;\n}}\n",
        );
    }
    let _ = write!(
        out,
        "static void reached(void) {{\n    fputs(\"{REACHED}\\n\", stderr);\n    abort();\n}}\n\n\
         __attribute__((weak)) void reach_error(void) {{\n    reached();\n}}\n\n\
         __attribute__((weak)) void __VERIFIER_error(void) {{\n    reached();\n}}\n\n\
         __attribute__((weak)) void __VERIFIER_assert(int condition) {{\n    if (!condition)\n        reached();\n}}\n\n\
         __attribute__((weak)) void __VERIFIER_assume(int condition) {{\n    if (!condition)\n        exit(0);\n}}\n\n\
         __attribute__((weak)) void __VERIFIER_atomic_begin(void) {{\n}}\n\n\
         __attribute__((weak)) void __VERIFIER_atomic_end(void) {{\n}}\n"
    );
    out
}
