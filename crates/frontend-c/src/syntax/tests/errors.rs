//! What is refused, with place and message.

use super::{check_errors, diagnostics};

/// The place and message of each diagnostic, and nothing else about it.
#[track_caller]
fn check_messages(text: &str, expected: &[&str]) {
    let (map, diagnostics) = diagnostics(text);
    let shown: Vec<String> = diagnostics
        .iter()
        .map(|diagnostic| {
            let place = map.place(diagnostic.primary.as_ref().unwrap().span);
            format!("{}:{} {}", place.line, place.column, diagnostic.message)
        })
        .collect();
    assert_eq!(shown, expected, "{text}");
}

#[test]
fn how_errors_look() {
    check_errors(
        "void f(void) {\n  x = 1\n  y = 2;\n}",
        "error: expected `;` after the expression, found `y`
 --> t.c:2:8
  |
2 |   x = 1
  |        ^ expected `;`
",
    );
    check_errors(
        "void f(void) { g(1, 2; }",
        "error: expected `)`, found `;`
 --> t.c:1:22
  |
1 | void f(void) { g(1, 2; }
  |                      ^ expected `)`
  |                 - to close this
",
    );
    check_errors(
        "void f(void) {\n  if (x) {\n}\n",
        "error: expected `}`, found the end of the file
 --> t.c:3:2
  |
1 | void f(void) {
  |              - to close this
...
3 | }
  |  ^ expected `}`
",
    );
    check_errors(
        "# 10 \"x.h\"\nfoo_t x;",
        "error: `foo_t` is not the name of a type here
  --> x.h:10:1
   |
10 | foo_t x;
   | ^^^^^ expected a type
",
    );
}

#[test]
fn missing_pieces() {
    check_messages("int x", &["1:6 expected `;` after the declaration, found the end of the file"]);
    check_messages("int x = ;", &["1:9 expected an expression, found `;`"]);
    check_messages("struct s { int x; }\nint y;", &["2:1 expected a name, found `int`"]);
    check_messages("struct;", &["1:7 expected a tag or `{`, found `;`"]);
    check_messages("enum e { A B };", &["1:12 expected `}`, found `B`"]);
    check_messages("int a[3;", &["1:8 expected `]`, found `;`"]);
    check_messages("int f(int x, );", &["1:14 expected a parameter, found `)`"]);
    check_messages("void f(void) { do x; }", &["1:22 expected `while` after the body of `do`, found `}`"]);
    check_messages("void f(void) { goto 1; }", &["1:21 expected the name of a label, found `1`"]);
    check_messages("void f(void) { a.1; }", &["1:17 expected `;` after the expression, found `.1`"]);
    check_messages("void f(void) { a ? b; }", &["1:21 expected `:` in the conditional expression, found `;`"]);
    check_messages("void f(void) { return 1 }", &["1:25 expected `;` after `return`, found `}`"]);
    check_messages("int x = {.a 1};", &["1:13 expected `=` after the designator, found `1`"]);
    check_messages("int x __attribute__((aligned(4));", &["1:33 expected `)`, found `;`"]);
    check_messages("asm(1);", &["1:5 expected an assembler template, found `1`"]);
    check_messages("int x = _Generic(1, int 2);", &["1:25 expected `:` after the type, found `2`"]);
    check_messages("1;", &["1:1 expected a declaration or a function, found `1`"]);
}

#[test]
fn wrong_words() {
    check_messages("long float x;", &["1:1 these words do not make a type"]);
    check_messages("int char x;", &["1:1 these words do not make a type"]);
    check_messages("static extern int x;", &["1:8 a declaration has only one storage class"]);
    check_messages("struct s { static int x; };", &["1:12 `static` is not allowed here"]);
    check_messages("int x = sizeof(extern int);", &["1:16 expected an expression, found `extern`"]);
    check_messages(
        "void f(void) { else x; }",
        &["1:16 expected a statement; this `else` belongs to no `if`, found `else`"],
    );
    check_messages(
        "void f(void) { if (x) int y; }",
        &["1:23 expected a statement; a declaration must stand in a block, found `int`"],
    );
    check_messages("int x {}", &["1:7 expected `;` after the declaration, found `{`"]);
    check_messages(
        "int * __attribute__((aligned(8))) * p; int (__attribute__((mode(DI))) *q), * __attribute__((packed)) a[2];",
        &[
            "1:22 this attribute is not supported inside a declarator",
            "1:60 this attribute is not supported inside a declarator",
        ],
    );
    check_messages("#pragma ms_struct on\nint x;", &["1:1 `#pragma ms_struct` is not supported"]);
}

#[test]
fn unknown_types() {
    check_messages("foo x; foo y;", &["1:1 `foo` is not the name of a type here"]);
    check_messages(
        "foo *x; static bar y;",
        &["1:1 `foo` is not the name of a type here", "1:16 `bar` is not the name of a type here"],
    );
    check_messages(
        "int f(foo x, bar *y);",
        &["1:7 `foo` is not the name of a type here", "1:14 `bar` is not the name of a type here"],
    );
    check_messages("struct s { foo x; };", &["1:12 `foo` is not the name of a type here"]);
    check_messages("void f(void) { foo x; x * y; }", &["1:16 `foo` is not the name of a type here"]);
    check_messages("int x = sizeof(const foo *);", &["1:22 `foo` is not the name of a type here"]);
}

#[test]
fn nested_functions_are_refused_by_name() {
    check_messages(
        "int f(void) { int g(int x) { if (x) { return x } } return g(1); }",
        &["1:19 a function inside a function is not supported"],
    );
    check_messages("void f(void) { auto g() { } x; }", &["1:21 a function inside a function is not supported"]);
}

#[test]
fn one_run_finds_several_errors() {
    check_messages(
        "int x = ;\nvoid f(void) {\n  a b c;\n  for (x y; z; w) { ; }\n  if (1) { ) }\n  q;\n}\nint y = 1 2;\nint z;",
        &[
            "1:9 expected an expression, found `;`",
            "3:3 `a` is not the name of a type here",
            "3:7 expected `;` after the declaration, found `c`",
            "4:8 `x` is not the name of a type here",
            "5:12 expected an expression, found `)`",
            "8:11 expected `;` after the declaration, found `2`",
        ],
    );
    check_messages(
        "struct s { int a b; int c d; };\n}\nint x y;",
        &[
            "1:18 expected `;` after the member, found `b`",
            "1:27 expected `;` after the member, found `d`",
            "2:1 expected a declaration or a function, found `}`",
            "3:7 expected `;` after the declaration, found `y`",
        ],
    );
    check_messages(
        "void f(void) { for (a 1; b; c) d; e f; }",
        &["1:23 expected `;` after the first part of `for`, found `1`", "1:35 `e` is not the name of a type here"],
    );
    let (_, many) = diagnostics(&"int x 1;\n".repeat(1000));
    assert_eq!(many.len(), 20);
    assert_eq!(many[19].notes, ["the rest of the text was not looked at, because there are many errors"]);
}

#[test]
fn wrong_characters() {
    check_messages("int x @ y;", &["1:7 `@` means nothing in C", "1:9 expected `;` after the declaration, found `y`"]);
    check_messages("int x;\0\0\x01", &["1:7 byte 0x00 means nothing in C", "1:9 byte 0x01 means nothing in C"]);
    check_messages("char *s = \"abc\n;", &["1:11 this string is not closed in its line"]);
    check_messages(
        "int c = 'a",
        &[
            "1:9 this character constant is not closed in its line",
            "1:11 expected `;` after the declaration, found the end of the file",
        ],
    );
    check_messages("int x; /* int y;", &["1:8 this comment is never closed"]);
    check_messages("#define X 1\nint x;", &["1:1 `#define` is a directive for the preprocessor"]);
    check_messages("int x = 08;", &["1:9 the digit `8` does not occur in octal literals"]);
    check_messages("int x = '';", &["1:9 expected a character between the quotes"]);
    check_messages("int x = L\"a\" u\"b\";", &["1:9 adjacent strings have different prefixes"]);
}

#[test]
fn names_that_are_not_utf8() {
    let mut map = source::SourceMap::new();
    let file = map.add("t.c", b"int \xff\xfe;".to_vec());
    let (_, diagnostics) = crate::syntax::parse(&mut map, file);
    let messages: Vec<&str> = diagnostics.iter().map(|diagnostic| diagnostic.message.as_str()).collect();
    assert_eq!(messages, ["this name is not valid UTF-8"]);
}
