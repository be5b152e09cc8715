//! Statements and labels.

use super::{check, check_body};

#[test]
fn simple_statements() {
    check_body(";", ";");
    check_body("x; {} { y; ; }", "x {} {y ;}");
    check_body("return; return 1, 2;", "(return) (return (, 1 2))");
    check_body("goto L; L: goto *p; break; continue;", "(goto L) (label L (goto* p)) (break) (continue)");
}

#[test]
fn conditionals() {
    check_body("if (a) b;", "(if a b)");
    check_body("if (a) b; else c;", "(if a b c)");
    check_body("if (a) b; else if (c) d; else if (e) f; else g;", "(if a b c d e f g)");
    check_body("if (a) if (b) c; else d;", "(if a (if b c d))");
    check_body("if (a) { if (b) c; } else d;", "(if a {(if b c)} d)");
    check_body("if (a) ; else if (b) ; x;", "(if a ; b ;) x");
}

#[test]
fn loops() {
    check_body("while (a) b;", "(while a b)");
    check_body("do { a; } while (b);", "(do {a} b)");
    check_body("for (;;) ;", "(for _ _ _ ;)");
    check_body(
        "for (i = 0, j = 1; i < n; i++, j--) a;",
        "(for (, (= i 0) (= j 1)) (< i n) (, (post++ i) (post-- j)) a)",
    );
    check_body("for (int i = 0, *p; i; ) {}", "(for (declare i int 0) (declare p (ptr int)) i _ {})");
    check_body("for (__attribute__((cleanup(c))) int i;;) ;", "(for (declare @cleanup(\"c\") i int) _ _ ;)");
}

#[test]
fn switches_and_labels() {
    check_body(
        "switch (x) { case 1: case 2 ... 5: a; break; default: b; }",
        "(switch x {(label (case 1) (case 2 5) a) (break) (label default b)})",
    );
    check_body("a: b: case 'x': c: ;", "(label a b (case plain:120) c ;)");
    check_body("switch (x) case 1: y;", "(switch x (label (case 1) y))");
    check_body("{ x; L: }", "{x (label L ;)}");
    check_body("L: int x; y;", "(label L ;) (declare x int) y");
    check_body("L: __attribute__((unused)) x;", "(label L x)");
    check_body("case a ? b : c: d;", "(label (case (? a b c)) d)");
    check_body("__label__ a, b; a: b: ;", "(labels a b) (label a b ;)");
    check(
        "typedef int T; void f() { T: ; T * x; }",
        "(declare typedef T int)\n(function f (fn ? void) {(label T ;) (declare x (ptr T))})",
    );
}

#[test]
fn declarations_in_blocks() {
    check_body("int x = 1, y; x = y;", "(declare x int 1) (declare y int) (= x y)");
    check_body(
        "x; int y; _Static_assert(1, \"m\"); _Static_assert(1);",
        "x (declare y int) (static-assert 1 \"m\") (static-assert 1)",
    );
    check_body("__extension__ int x; __extension__ (x);", "(declare x int) x");
    check_body(
        "register x = 1; static y; const z = 2;",
        "(declare register x int 1) (declare static y int) (declare z const int 2)",
    );
    check_body("__attribute__((unused)) int x; __attribute__((fallthrough));", "(declare x int) ;");
    check_body("[[maybe_unused]] int x; [[fallthrough]];", "(declare x int) ;");
    check_body("extern int g(int); __auto_type a = 1;", "(declare extern g (fn (int) int)) (declare a auto-type 1)");
    check_body(
        "struct s { int a; } x; struct s; enum { A } e;",
        "(declare x (struct s {(member a int)})) (declare (struct s)) (declare e (enum {A}))",
    );
}

#[test]
fn typedef_names_follow_scopes() {
    let typedef = "typedef int T;";
    let check_typed = |text: &str, expected: &str| {
        check(&format!("{typedef} {text}"), &format!("(declare typedef T int)\n{expected}"));
    };
    check_typed("void f(void) { int T; T * T; }", "(function f (fn () void) {(declare T int) (* T T)})");
    check_typed(
        "void f(void) { { int T; } T * x; }",
        "(function f (fn () void) {{(declare T int)} (declare x (ptr T))})",
    );
    check_typed("void f(int T) { T * 2; }", "(function f (fn ((T int)) void) {(* T 2)})");
    check_typed("void f(T T) { T * 2; }", "(function f (fn ((T T)) void) {(* T 2)})");
    check_typed("void f(int T); T x;", "(declare f (fn ((T int)) void))\n(declare x T)");
    check_typed(
        "void f(void) { for (int T; T * 2;) ; T x; }",
        "(function f (fn () void) {(for (declare T int) (* T 2) _ ;) (declare x T)})",
    );
    check_typed("void f(void) { enum { T }; T * 2; }", "(function f (fn () void) {(declare (enum {T})) (* T 2)})");
    check_typed("void f(void) { T T = 1; T * 2; }", "(function f (fn () void) {(declare T T 1) (* T 2)})");
    check_typed("struct s { T T; }; T x;", "(declare (struct s {(member T T)}))\n(declare x T)");
    check_typed(
        "void f(void) { struct T { int T; } x; x.T; T y; }",
        "(function f (fn () void) {(declare x (struct T {(member T int)})) (. x T) (declare y T)})",
    );
    check_typed("int f(int (T)); T x;", "(declare f (fn ((fn (T) int)) int))\n(declare x T)");
    check_typed("int f(int (x)); unsigned T;", "(declare f (fn ((x int)) int))\n(declare T unsignedint)");
    check_typed(
        "void f(a, T) int a; int T; { T * a; }",
        "(function f (fn a T void) (declare a int) (declare T int) {(* T a)})",
    );
}

#[test]
fn assembler() {
    check_body("asm(\"nop\");", "(asm \"nop\" [] [] [])");
    check_body(
        "__asm__ __volatile__ (\"a\" \"b\" : [o] \"=r\" (x), \"+m\" (*p) : \"r\" (y) : \"memory\", \"cc\");",
        "(asm volatile \"ab\" [[o] \"=r\" x \"+m\" (* p)] [\"r\" y] [\"memory\", \"cc\"])",
    );
    check_body("asm goto (\"\" : : : : a, b);", "(asm goto \"\" [] [] [] a b)");
    check_body("asm (\"\" :: \"r\" (x));", "(asm \"\" [] [\"r\" x] [])");
    check("asm(\"top\");", "(asm \"top\" [] [] [])");
}
