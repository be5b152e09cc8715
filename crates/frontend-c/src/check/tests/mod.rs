//! Tests of the checker: programs and what they are checked to be, in the files of `data`.
//!
//! A file holds several cases: a title after `===` (with `64` for the data model LP64, otherwise it is ILP32), the program,
//! and after `---` the checked program or what is wrong with it. Run with `UPDATE_EXPECT=1` to write the files anew, and
//! read the difference before you believe it.

mod layout;

use super::{Dialect, check};
use crate::syntax;
use ir::DataModel;
use source::SourceMap;
use std::path::Path;

/// The checked program, or the errors, as text. Only the parts that are about the program's own names are shown.
fn outcome(text: &str, model: DataModel) -> String {
    let mut map = SourceMap::new();
    let file = map.add("t.c", text.into());
    let (unit, errors) = syntax::parse(&mut map, file);
    let shown = |diagnostics: Vec<source::Diagnostic>| -> String {
        diagnostics.iter().map(|diagnostic| source::render(diagnostic, &map, false)).collect()
    };
    if !errors.is_empty() {
        return shown(errors);
    }
    match check(&unit, &map, Dialect { model, has_gnu_inline: false }) {
        Ok(unit) => unit.dump(),
        Err(errors) => shown(errors),
    }
}

/// Compares all cases of a file with what the checker says.
fn check_file(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/check/tests/data").join(name);
    let text = std::fs::read_to_string(&path).unwrap();
    let mut written = String::new();
    let mut wrong = Vec::new();
    for case in text.split("=== ").skip(1) {
        let (title, rest) = case.split_once('\n').unwrap();
        let (program, expected) = rest.split_once("---\n").unwrap_or((rest, ""));
        let model = if title.ends_with("64") { DataModel::Lp64 } else { DataModel::Ilp32 };
        let outcome = outcome(program, model);
        // Files have no spaces at the ends of lines.
        let outcome: String = outcome.lines().flat_map(|line| [line.trim_end(), "\n"]).collect();
        let outcome = outcome.trim_end();
        if outcome != expected.trim_end() {
            wrong.push(format!("{name}: {title}\n{program}--- expected\n{expected}\n--- but it is\n{outcome}\n"));
        }
        written += &format!("=== {title}\n{program}---\n{outcome}\n\n");
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, written).unwrap();
    } else {
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

macro_rules! files {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            check_file(concat!(stringify!($name), ".txt"));
        }
    )*};
}

files! { conversions places initialisers statements declarations builtins unsupported errors }

#[test]
fn deep_programs_do_not_overflow_the_stack() {
    let depth = 3000;
    let nested = |open: &str, inner: &str, close: &str| open.repeat(depth) + inner + &close.repeat(depth);
    let programs = [
        format!("int x; int f(void) {{ return {}; }}", nested("-", "x", "")),
        format!("int x; int f(void) {{ return {}; }}", nested("(x + ", "x", ")")),
        format!("int x = {};", nested("(1 + ", "1", ")")),
        format!("int f(void) {{ {} return 0; }}", nested("{", "", "}")),
        format!("int f(int x) {{ {} return 0; }}", nested("if (x) ", ";", "")),
        format!("struct S {{ {} }} s;", nested("struct {", "int x;", "};")),
        format!("int f(int *x) {{ return {}; }}", nested("x[", "0", "]")),
        format!("int f(int x) {{ return {}; }}", nested("({ ", "x", "; })")),
    ];
    for program in programs {
        let shown = outcome(&program, DataModel::Ilp32);
        assert!(!shown.is_empty());
    }
}

#[test]
fn long_chains_are_checked() {
    let arms: String = (0..20_000).map(|i| format!("if (x == {i}) x = {}; else ", i + 1)).collect();
    let shown = outcome(&format!("int f(int x) {{ {arms} x = 0; return x; }}"), DataModel::Ilp32);
    assert!(shown.contains("([x] == 19999)"));
    let stars = outcome(&format!("int {}x;", "*".repeat(100_000)), DataModel::Ilp32);
    assert!(stars.contains("more than 1000 steps"), "{stars}");
}
