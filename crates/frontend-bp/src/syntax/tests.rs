//! What the parser makes of texts: how expressions are grouped, and what it says about texts that are no programs.

use super::*;
use source::SourceMap;

fn parsed(text: &str) -> Result<Unit, String> {
    let mut map = SourceMap::new();
    let file = map.add("t.bp", text.into());
    parse(&map, file).map_err(|errors| {
        let shown = errors.iter().map(|error| {
            let place = error.primary.as_ref().map(|label| map.place(label.span));
            format!("{} {}", place.map_or(String::new(), |p| format!("{}:{}", p.line, p.column)), error.message)
        });
        shown.collect::<Vec<_>>().join("; ")
    })
}

fn show(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Constant(value) => if *value { "T" } else { "F" }.to_string(),
        ExprKind::Choice => "*".to_string(),
        ExprKind::Variable(name) => name.to_string(),
        ExprKind::Next(name) => format!("'{name}"),
        ExprKind::Not(a) => format!("!{}", show(a)),
        ExprKind::Binary(op, a, b) => format!("({} {op:?} {})", show(a), show(b)),
        ExprKind::If(a, b, c) => format!("({} ? {} : {})", show(a), show(b), show(c)),
        ExprKind::Schoose(a, b) => format!("[{},{}]", show(a), show(b)),
    }
}

/// The condition of an assumption with all its parentheses.
fn grouped(text: &str, expected: &str) {
    let unit = parsed(&format!("void main() begin assume {text}; end")).unwrap_or_else(|error| panic!("{error}"));
    let StatementKind::Assume(condition) = &unit.functions[0].body[0].kind else { panic!("{text}") };
    assert_eq!(show(condition), expected, "{text}");
}

#[test]
fn expressions_are_grouped_by_precedence() {
    grouped("a & b | c & d", "((a And b) Or (c And d))");
    grouped("a | b = c | d", "((a Or b) Equal (c Or d))");
    grouped("a => b => c", "(a Implies (b Implies c))");
    grouped("a ^ b | c", "(a Xor (b Or c))");
    grouped("!a & ~b", "(!a And !b)");
    grouped("a != !b", "(a Different !b)");
    grouped("'a & b'", "('a And 'b)");
    grouped("a ? b : c ? 0 : 1", "(a ? b : (c ? F : T))");
    grouped("schoose[a & b, F] | *", "([(a And b),F] Or *)");
    grouped("{x == 0} || T", "({x == 0} Or T)");
}

#[test]
fn errors_have_their_place_and_say_what_was_expected() {
    let check = |text: &str, expected: &str| assert_eq!(parsed(text).err().as_deref(), Some(expected), "{text}");
    check("decl a", "1:7 expected `;`, found the end of the text");
    check("void main() begin\n  a = 1;\nend", "2:5 expected `:=` or `(`, found `=`");
    check("void main() begin skip skip end", "1:24 expected `;`, found `skip`");
    check("void main() begin if a fi end", "1:24 expected `then`, found `fi`");
    check("bool<x> f() begin end", "1:6 expected a number of results, found `x`");
    check("void main() begin assume(a; end", "1:27 expected `)`, found `;`");
    check("void main() begin goto; end", "1:23 expected a label, found `;`");
    check("# decl a;", "1:1 this character has no meaning in a Boolean program");
    check("/* decl a;", "1:1 expected `*/` to end this comment");
    check("decl {a;\n", "1:6 expected `}` to end this name");
    check(
        "void main() begin start_thread skip; end",
        "1:32 expected a call or `goto` that the new thread begins with, found `skip`",
    );
    check("decl a, b, c := T, F;", "1:20 expected 3 values, found 2");
}

#[test]
fn deep_nesting_is_no_problem() {
    let deep = format!("void main() begin assume {}a{}; end", "(".repeat(50_000), ")".repeat(50_000));
    assert!(parsed(&deep).is_ok());
    assert!(parsed(&format!("void main() begin assume {}a; end", "!".repeat(50_000))).is_ok());
}
