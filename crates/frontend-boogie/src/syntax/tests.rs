//! What the parser makes of texts: how expressions are grouped, and what it says about texts that are no programs.

use super::*;
use source::{SourceMap, Symbol};

/// The first axiom of a text with all its parentheses.
fn grouped(text: &str) -> String {
    let mut map = SourceMap::new();
    let file = map.add("t.bpl", format!("axiom {text};").into());
    let (tree, errors) = parse(&map, file);
    assert!(errors.is_empty(), "{text}: {errors:?}");
    let Some(DeclarationKind::Axiom(axiom)) = tree.declarations.first().map(|d| &d.kind) else { panic!("{text}") };
    show(&tree, *axiom)
}

fn show(tree: &Tree, expr: ExprId) -> String {
    let inner = |e: &ExprId| show(tree, *e);
    let list = |list: &[ExprId]| list.iter().map(inner).collect::<Vec<_>>().join(",");
    match &tree[expr].kind {
        ExprKind::Bool(b) => b.to_string(),
        ExprKind::Integer(text) | ExprKind::Real(text) | ExprKind::BitVector(text) | ExprKind::Float(text) => {
            text.to_string()
        }
        ExprKind::Name(name) => name.text.to_string(),
        ExprKind::Apply(name, arguments) => format!("{}({})", name.text, list(arguments)),
        ExprKind::Unary(op, a) => format!("({op:?} {})", inner(a)),
        ExprKind::Binary(op, a, b) => format!("({} {op:?} {})", inner(a), inner(b)),
        ExprKind::If(a, b, c) => format!("(if {} {} {})", inner(a), inner(b), inner(c)),
        ExprKind::Old(a) => format!("old({})", inner(a)),
        ExprKind::ToInt(a) => format!("int({})", inner(a)),
        ExprKind::ToReal(a) => format!("real({})", inner(a)),
        ExprKind::Select(map, indices) => format!("{}[{}]", inner(map), list(indices)),
        ExprKind::Store(map, indices, value) => format!("{}[{} := {}]", inner(map), list(indices), inner(value)),
        ExprKind::Extract { operand, high, low } => format!("{}[{high}:{low}]", inner(operand)),
        ExprKind::Coerce(a, _) => format!("({}: _)", inner(a)),
        ExprKind::Quantified(q) => {
            let bound: Vec<Symbol> = q.bound.iter().map(|v| v.name.text).collect();
            let triggers: String = q.triggers.iter().map(|t| format!("{{{}}} ", list(t))).collect();
            format!("({:?} {bound:?} {triggers}{})", q.binder, inner(&q.body))
        }
        ExprKind::Let(names, values, body) => {
            let names: Vec<Symbol> = names.iter().map(|name| name.text).collect();
            format!("(let {names:?} {} {})", list(values), inner(body))
        }
        ExprKind::Code(body) => format!("|{{{}}}|", body.statements.len()),
        ExprKind::Is(a, name) => format!("({} is {})", inner(a), name.text),
        ExprKind::Field(a, name) => format!("{}->{}", inner(a), name.text),
        ExprKind::WithField(a, name, value) => format!("{}->({} := {})", inner(a), name.text, inner(value)),
    }
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(grouped(text), expected);
}

#[test]
fn operators_are_grouped_by_precedence() {
    check("a ==> b ==> c", "(a Implies (b Implies c))");
    check("a <== b <== c", "((a Explies b) Explies c)");
    check("a <==> b && c", "(a Iff (b And c))");
    check("a && b && c", "((a And b) And c)");
    check("!a == b", "((Not a) Eq b)");
    check("x - y - z < 3 * -x", "(((x Sub y) Sub z) Less (3 Mul (Minus x)))");
    check("x div y mod z", "((x Div y) Mod z)");
    check("a ++ b == c[8:0]", "((a Concat b) Eq c[8:0])");
    check("x ** y ** z", "(x Power (y Power z))");
    check("a ∧ ¬b ⇒ x ≤ y", "((a And (Not b)) Implies (x LessEq y))");
}

#[test]
fn operands() {
    check("m[i, j := 3][k]", "m[i,j := 3][k]");
    check("m[n[1]]", "m[n[1]]");
    check("if a then 1 else 2 == 3", "(if a 1 (2 Eq 3))");
    check("old(x) == int(2.5)", "(old(x) Eq int(2.5))");
    check("f(x): T == y", "((f(x): _) Eq y)");
    check("7bv32 == 0x1.8e3f24e8", "(7bv32 Eq 0x1.8e3f24e8)");
    check("d->f->(g := 1) is C", "(d->f->(g := 1) is C)");
    check("\\assert == 'a~b#c?", "(assert Eq 'a~b#c?)");
}

#[test]
fn quantifiers() {
    check(
        "(forall x, y: int :: {f(x), y} {:weight 3} {g(x)} x == y)",
        "(Forall [\"x\", \"y\"] {f(x),y} {g(x)} (x Eq y))",
    );
    check("(exists<a> x: a :: true)", "(Exists [\"x\"] true)");
    check("∃ x: int • x > 0", "(Exists [\"x\"] (x Greater 0))");
    check("(lambda i: int :: m[i])[3]", "(Lambda [\"i\"] m[i])[3]");
}

/// The messages for a text, with their places.
#[track_caller]
fn wrong(text: &str, expected: &[&str]) {
    let mut map = SourceMap::new();
    let file = map.add("t", text.into());
    let (_, errors) = parse(&map, file);
    let show = |d: &source::Diagnostic| {
        let place = d.primary.as_ref().map(|label| map.place(label.span));
        format!("{} {}", place.map_or_else(String::new, |p| format!("{}:{}", p.line, p.column)), d.message)
    };
    assert_eq!(errors.iter().map(show).collect::<Vec<_>>(), expected);
}

#[test]
fn several_errors_are_found_in_one_run() {
    wrong(
        "var x int;\nprocedure p() {\n  x := 1\n  assert x ==;\n  call q(;\n  x := 2;\n}\naxiom 1 +;\nconst c: int;",
        &[
            "1:7 expected `:` before the type, found `int`",
            "3:9 expected `;` after the statement, found `assert`",
            "5:10 expected an expression, found `;`",
            "8:10 expected an expression, found `;`",
        ],
    );
    wrong(
        "procedure p() { /* never",
        &["1:16 expected `}`, found the end of the text", "1:17 expected `*/` to end this comment"],
    );
    wrong("const {:path \"\\\\a\\\\\"} c: int;\nconst {:text \"\\\"\"} d: int;", &[]);
    wrong(
        "axiom \"text;\nvar § : int;",
        &[
            "1:7 expected `\"` to end this string",
            "1:7 expected an expression, found `\"text;`",
            "2:5 this character has no meaning in a Boogie program",
            "2:7 expected the name of a variable, found `:`",
        ],
    );
}

#[test]
fn deep_nesting_is_refused_but_long_chains_are_not() {
    let deep = format!("axiom {}true{};", "(".repeat(200_000), ")".repeat(200_000));
    let mut map = SourceMap::new();
    let file = map.add("t", deep.into());
    let (_, errors) = parse(&map, file);
    assert_eq!(errors.len(), 1);
    assert!(errors[0].message.contains("nested too deeply"), "{errors:?}");
    let long = format!("axiom true{};", " && true".repeat(50_000));
    let file = map.add("t", long.into());
    assert!(parse(&map, file).1.is_empty());
}
