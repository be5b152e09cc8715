//! For each law a program that breaks it, and nothing else.

use ir::{Cfa, EdgeId, LocId, LocationKind, Op, ProcId, Program, PropertyId, Rule, Variable, parse, validate};
use term::{Sort, Term, Value};

/// Programs as text that break one law each.
const TEXTS: &[(&str, &str)] = &[
    ("entry-has-body", "program \"t\" lp64 entry f\n procedure f() benign"),
    ("thread-local-is-global", "procedure main() {\n local x: int thread_local\n }"),
    ("memory-is-global", "procedure main() {\n local $next: bv32\n }"),
    ("memory-is-global", "global $memory: mem32 thread_local\n procedure main() {}"),
    ("memory-sort", "global $next: bv64\n procedure main() {}"),
    ("memory-sort", "global $size: (Array bv32 bv64)\n procedure main() {}"),
    ("pointer-width", "program \"t\" lp64\n global p: (Array int ptr32)\n procedure main() {}"),
    ("pointer-width", "program \"t\" lp64\n function f(mem32): int\n procedure main() {}"),
    (
        "pointer-width",
        "procedure main() {\n entry -> exit: assume (= (_ ptr 0 #x0000000000000000) (_ ptr 1 #x0000000000000000))\n }",
    ),
    ("object-size", "object a: variable size 4294967296\n procedure main() {}"),
    ("axiom-is-formula", "axiom 5\n procedure main() {}"),
    ("axiom-is-closed", "global b: bool\n axiom b\n procedure main() {}"),
    ("axiom-is-closed", "axiom (as b Bool)\n procedure main() {}"),
    ("variadic-has-no-body", "procedure main(...) {}"),
    ("entry-is-not-exit", "procedure main() {\n exit L0\n }"),
    ("exit-is-plain", "procedure main() {\n location exit end\n }"),
    ("no-edge-to-entry", "procedure main() {\n a -> entry: skip\n }"),
    ("no-edge-from-exit", "procedure main() {\n exit -> a: skip\n }"),
    ("no-edge-from-special", "procedure main() {\n location a end\n a -> exit: skip\n }"),
    ("no-edge-from-special", "property p unreach-call\n procedure main() {\n location a error p\n a -> exit: skip\n }"),
    ("no-edge-from-special", "procedure main() {\n location a unsupported \"asm\"\n a -> exit: skip\n }"),
    ("variable-declared", "procedure main() {\n entry -> exit: assume (as y Bool)\n }"),
    (
        "variable-declared",
        "global b: bool\n procedure main() {\n entry -> exit: b := (or b (and (as y Bool) (exists ((y Bool)) y)))\n }",
    ),
    ("variable-sort", "global x: int\n procedure main() {\n entry -> exit: assume (as x Bool)\n }"),
    ("variable-instance", "global x: int\n procedure main() {\n entry -> exit: assume (= x x@1)\n }"),
    ("variable-instance", "procedure main() {\n entry -> exit: assume (forall ((x@1 Bool)) true)\n }"),
    (
        "variable-in-scope",
        "procedure f() {\n local f::x: bool\n }\n procedure main() {\n entry -> exit: assume (as f::x Bool)\n }",
    ),
    (
        "variable-in-scope",
        "procedure f() {\n local f::x: bool\n }\n procedure main() {\n local y: bool\n entry -> exit: assume (and y (as f::x Bool))\n }",
    ),
    ("bound-is-fresh", "procedure main() {\n local x: int\n entry -> exit: assume (forall ((x Bool)) x)\n }"),
    ("bound-is-distinct", "axiom (exists ((x Int) (x Bool)) true)\n procedure main() {}"),
    ("function-declared", "axiom ((as f () Bool))\n procedure main() {}"),
    ("function-declared", "function f(): int\n axiom ((as f () Bool))\n procedure main() {}"),
    ("target-is-distinct", "global x: int\n procedure main() {\n entry -> exit: havoc x, x\n }"),
    ("target-is-distinct", "global x: int\n procedure main() {\n entry -> exit: x := 1, x := 1\n }"),
    ("assign-sort", "global x: int\n procedure main() {\n entry -> exit: x := true\n }"),
    ("assume-is-formula", "procedure main() {\n entry -> exit: assume #b1\n }"),
    ("argument-count", "procedure f(x: int) benign\n procedure main() {\n entry -> exit: call f()\n }"),
    ("argument-count", "procedure f(x: int) benign\n procedure main() {\n entry -> exit: call f(1, 2)\n }"),
    ("argument-count", "procedure f(x: int, ...) benign\n procedure main() {\n entry -> exit: call f()\n }"),
    ("argument-sort", "procedure f(x: int) benign\n procedure main() {\n entry -> exit: call f(1.0)\n }"),
    (
        "argument-sort",
        "global t: int\n procedure f(x: int) benign\n procedure main() {\n entry -> exit: t := spawn f(true)\n }",
    ),
    ("result-count", "procedure f() returns (r: int) benign\n procedure main() {\n entry -> exit: call f()\n }"),
    (
        "result-sort",
        "global b: bool\n procedure f() returns (r: int) benign\n procedure main() {\n entry -> exit: b := call f()\n }",
    ),
    ("thread-sort", "global b: bool\n procedure main() {\n entry -> exit: b := spawn main()\n }"),
];

/// Makes a valid program break a law that the textual form cannot break.
type Change = fn(&mut Program);
const CHANGES: &[(&str, Change)] = &[
    ("entry-exists", |program| program.entry = ProcId(2)),
    ("unique-procedure", |program| program.procedures[0].name = "main".into()),
    ("unique-variable", |program| program.globals.push(Variable::internal("x", Sort::int()))),
    ("unique-variable", |program| program.procedures[1].locals.push(Variable::internal("x", Sort::bool()))),
    ("unique-function", |program| program.functions.push(program.functions[0].clone())),
    ("unique-function", |program| program.functions[0].name = "x".into()),
    ("declaration-is-variable", |program| program.globals[0].term = Term::constant(Value::Bool(true))),
    ("declaration-is-variable", |program| program.globals[0].term = program.globals[0].term.at_instance(3)),
    ("sort-depth", |program| {
        let deep = (0..100).fold(Sort::int(), |sort, _| Sort::array(Sort::int(), sort));
        program.globals.push(Variable::internal("deep", deep));
    }),
    ("object-procedure", |program| program.objects[0].kind = ir::ObjectKind::Function(ProcId(2))),
    ("locals-have-body", |program| program.procedures[0].locals.push(Variable::internal("y", Sort::int()))),
    ("property-exists", |program| {
        change_body(program, |cfa| {
            let (mut locations, edges, entry, exit) = cfa.into_parts();
            locations[2].kind = LocationKind::Error(PropertyId(1));
            Cfa::new(locations, edges, entry, exit)
        });
    }),
    ("target-is-variable", |program| change_op(program, |_| Op::Havoc(vec![Term::constant(Value::Bool(true))]))),
    ("callee-exists", |program| {
        change_op(program, |_| Op::Call { procedure: ProcId(2), arguments: Vec::new(), results: Vec::new() });
    }),
];

const VALID: &str = "
    object f: function f size 1
    global x: int
    function g(int): int
    property p unreach-call
    procedure f() benign
    procedure main() {
      location bad error p
      entry -> bad: x := (g x)
    }";

fn change_body(program: &mut Program, change: impl FnOnce(Cfa) -> Cfa) {
    let body = &mut program.procedures[1].body;
    *body = body.clone().map(change);
}

fn change_op(program: &mut Program, change: impl Fn(&Op) -> Op) {
    change_body(program, |cfa| {
        let (locations, mut edges, entry, exit) = cfa.into_parts();
        edges[0].op = change(&edges[0].op);
        Cfa::new(locations, edges, entry, exit)
    });
}

fn program(text: &str) -> Program {
    parse(text).unwrap_or_else(|errors| panic!("{}\n{text}", errors[0]))
}

fn check(rule: &str, program: &Program) {
    let violations = validate(program).expect_err(rule);
    let broken: Vec<String> = violations.iter().map(|v| v.to_string()).collect();
    assert!(broken.len() == 1 && violations[0].rule.name() == rule, "not just {rule}: {broken:#?}\n{program}");
}

#[test]
fn each_text_breaks_its_law_alone() {
    TEXTS.iter().for_each(|(rule, text)| check(rule, &program(text)));
}

#[test]
fn each_change_breaks_its_law_alone() {
    validate(&program(VALID)).expect("valid before the change");
    for (rule, change) in CHANGES {
        let mut changed = program(VALID);
        change(&mut changed);
        check(rule, &changed);
    }
}

#[test]
fn each_law_has_a_program_that_breaks_it() {
    let broken: Vec<&str> = TEXTS.iter().map(|(rule, _)| *rule).chain(CHANGES.iter().map(|(rule, _)| *rule)).collect();
    for rule in Rule::ALL {
        assert!(broken.contains(&rule.name()), "no program breaks {rule}");
        assert!(rule.law().ends_with('.'), "{rule} is no sentence");
    }
}

#[test]
fn violations_say_where() {
    let text =
        "program \"t.c\" lp64\nglobal x: int\nprocedure main() {\n entry -> a: skip\n a -> exit: x := true @3:7\n}";
    let violations = validate(&program(text)).expect_err("a sort is wrong");
    assert_eq!(violations.len(), 1);
    assert_eq!(violations[0].at.edge, Some(EdgeId(1)));
    assert_eq!(violations[0].at.procedure, Some("main".into()));
    let expected =
        "assign-sort: a variable of sort Int takes a value of sort Bool, in procedure main, edge 1, at t.c:3:7";
    assert_eq!(violations[0].to_string(), expected);
}

#[test]
fn several_violations_are_found_at_once() {
    let text = "global x: int\nprocedure main() {\n exit -> a: x := true\n a -> exit: assume 1\n location b\n a -> entry: skip\n}";
    let violations = validate(&program(text)).expect_err("four laws are broken");
    let rules: Vec<&str> = violations.iter().map(|v| v.rule.name()).collect();
    assert_eq!(rules, ["no-edge-from-exit", "assign-sort", "assume-is-formula", "no-edge-to-entry"]);
}

#[test]
fn depth_is_no_danger() {
    let x = Term::var("x", Sort::bool());
    let deep = (0..200_000).fold(x, |term, _| Term::new(term::Op::Not, &[term]));
    let mut changed = program("global x: bool\nprocedure f() benign\nprocedure main() {\n entry -> exit: assume x\n}");
    change_op(&mut changed, |_| Op::Assume(deep));
    assert!(validate(&changed).is_ok());
    assert!(parse(&changed.to_string()).expect("a deep term is a term") == changed);
    assert_eq!(changed.procedures[1].body.as_ref().map(|cfa| cfa.edge(EdgeId(0)).to), Ok(LocId(1)));
}
