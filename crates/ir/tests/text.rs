//! What the textual form means, how it is printed, and what is said about texts that are no programs.

use ir::{LocId, LocationKind, parse, parse_bytes, print};

/// Parses a text written by hand; it must print as `expected`, and that as itself.
fn check(text: &str, expected: &str) {
    let program = parse(text).unwrap_or_else(|errors| panic!("{}\n{text}", errors[0]));
    let printed = print(&program);
    assert_eq!(printed, expected);
    let again = parse(&printed).unwrap_or_else(|errors| panic!("{}\n{printed}", errors[0]));
    assert!(again == program, "printing changes\n{printed}");
}

/// The edges that the lines of a body give, as they are printed.
fn check_body(lines: &str, expected: &str) {
    let header = "program \"\" ilp32 entry main\n";
    let globals = "\nglobal x: bv8\nglobal y: bv8\nglobal b: bool\nglobal call: bv8\nglobal assume: bv8\n";
    let procedures = "\nprocedure f(f::a: bv8) returns (f::r: bv8) benign\n\nprocedure g() benign\n";
    let text = |body: &str| {
        format!("{header}{globals}\nproperty P0 unreach-call \"\"\n{procedures}\nprocedure main() {{\n{body}}}\n")
    };
    check(&text(lines), &text(expected));
}

/// Parses a text that is no program.
fn check_errors(text: &str, expected: &[&str]) {
    let errors = parse(text).expect_err(text);
    assert_eq!(errors.iter().map(|error| error.to_string()).collect::<Vec<_>>(), expected, "of {text}");
}

#[test]
fn defaults() {
    check("procedure main() {}", "program \"\" ilp32 entry main\n\nprocedure main() {\n}\n");
    check(
        "procedure main() { entry -> exit }",
        "program \"\" ilp32 entry main\n\nprocedure main() {\n  entry -> exit: skip\n}\n",
    );
}

#[test]
fn declarations() {
    check(
        r#"
        ; Comments go on to the end of the line.
        program "a.c" lp64 entry start ; so does this one

        property leak valid-memtrack @2:3
        global x: bv32 name x type "unsigned int" thread_local @3:5
        global |odd name|: (Array Int
          (_ BitVec 7)) name |a\|b| @"b.h":1:2
        global |bv8|: |bv8|
        function f(int, (_ FloatingPoint 8 24), |bv8|): (Mem 64)
        axiom (forall ((i Int))
          (= i i)) ; a term goes on until its parenthesis closes
        object x: variable size 4 @3:5
        object 2 |"hi"|: literal size 3
        object main: function start size 1
        procedure printf(format: (Ptr 64), ...) returns (printed: bv32) unknown @"stdio.h":7:12
        procedure any(...) benign
        procedure start(
          n: int,   ; one parameter a line
          m: real
        ) returns (r: bool) @9:1 {
          local z: Bool type "_Bool"
        }"#,
        r#"program "a.c" lp64 entry start

object 1 x: variable size 4 @3:5
object 2 |"hi"|: literal size 3
object 3 main: function start size 1

global x: bv32 name x type "unsigned int" thread_local @3:5
global |odd name|: (Array int bv7) name |a\|b| @"b.h":1:2
global bv8: |bv8|

function f(int, float32, |bv8|): mem64

axiom (forall ((i Int)) (= i i))

property P0 valid-memtrack "" @2:3

procedure printf(format: ptr64, ...) returns (printed: bv32) unknown @"stdio.h":7:12

procedure any(...) benign

procedure start(n: int, m: real) returns (r: bool) @9:1 {
  local z: bool type "_Bool"
}
"#,
    );
}

#[test]
fn operations() {
    check_body("entry->exit:skip", "  entry -> exit: skip\n");
    check_body("entry -> exit: x := (bvadd x #x01) @1:2", "  entry -> exit: x := (bvadd x #x01) @1:2\n");
    check_body("entry -> exit: x:=y,y:=x", "  entry -> exit: x := y, y := x\n");
    check_body("entry -> exit: assume(bvult x y)", "  entry -> exit: assume (bvult x y)\n");
    check_body("entry -> exit: assume b", "  entry -> exit: assume b\n");
    check_body("entry -> exit: havoc x , y", "  entry -> exit: havoc x, y\n");
    check_body("entry -> exit: havoc", "  entry -> exit: havoc\n");
    check_body("entry -> exit: x := call f(#x01)", "  entry -> exit: x := call f(#x01)\n");
    check_body("entry -> exit: call g ( )", "  entry -> exit: call g()\n");
    check_body("entry -> exit: x, y := call f(x,\n  y)", "  entry -> exit: x, y := call f(x, y)\n");
    check_body("entry -> exit: x := spawn main()", "  entry -> exit: x := spawn main()\n");
    check_body("entry -> exit: atomic begin", "  entry -> exit: atomic begin\n");
    check_body("entry -> exit: atomic end", "  entry -> exit: atomic end\n");
}

#[test]
fn words_are_keywords_only_where_they_can_be() {
    check_body("entry -> exit: call := call", "  entry -> exit: call := call\n");
    check_body("entry -> exit: call := call @1:2", "  entry -> exit: call := call @1:2\n");
    check_body("entry -> exit: call := call f(call)", "  entry -> exit: call := call f(call)\n");
    check_body("entry -> exit: assume := call, call := assume", "  entry -> exit: assume := call, call := assume\n");
    check_body("entry -> exit: assume := (bvneg call)", "  entry -> exit: assume := (bvneg call)\n");
    check_body("entry -> exit: havoc assume, call", "  entry -> exit: havoc assume, call\n");
    check_body(
        "procedure -> global: skip\n global -> procedure\n entry -> procedure",
        "  L2 -> L3: skip\n  L3 -> L2: skip\n  entry -> L2: skip\n",
    );
}

#[test]
fn locations() {
    // Words take the numbers that are free, in the order in which they come.
    check_body("entry -> loop\n loop -> L2\n L2 -> done", "  entry -> L3: skip\n  L3 -> L2: skip\n  L2 -> L4: skip\n");
    // A line about a location stands before the first edge that touches it.
    check_body(
        "entry -> bad: assume b\n location bad error P0 label ERR @4:1\n location lost end\n entry -> exit",
        "  location L2 error P0 label ERR @4:1\n  entry -> L2: assume b\n  entry -> exit: skip\n  location L3 end\n",
    );
    // Entry and exit can be any locations.
    check_body(
        "entry L3\n exit L2\n L3 -> L2\n location L0\n location L1",
        "  entry L3\n  exit L2\n  entry -> exit: skip\n  location L0\n  location L1\n",
    );
    check_body("entry start\n start -> exit", "  entry -> exit: skip\n");
    check_body(
        "location L2 unsupported \"asm \\\"nop\\\"\\n\\u{7}\"",
        "  location L2 unsupported \"asm \\\"nop\\\"\\n\\u{7}\"\n",
    );
    let program = parse("procedure main() {\n location a end\n entry -> exit\n}").expect("a program");
    let cfa = program.procedures[0].body.as_ref().expect("a body");
    assert_eq!(cfa.location(LocId(2)).kind, LocationKind::End);
    assert_eq!((cfa.entry(), cfa.exit(), cfa.location_count()), (LocId(0), LocId(1), 3));
}

#[test]
fn errors_say_what_was_expected_and_where() {
    check_errors("", &["1:1: there is no procedure main, and the header names no other entry"]);
    check_errors("procedure f() {}", &["1:1: there is no procedure main, and the header names no other entry"]);
    check_errors("program a.c", &["1:9: expected the file's name between double quotes, found `a.c`"]);
    check_errors("program \"a.c\" ilp64", &["1:15: expected `ilp32` or `lp64`, found `ilp64`"]);
    check_errors(
        "globl x: bv8",
        &[
            "1:1: expected a declaration (`object`, `global`, `function`, `axiom`, `property`, `assumption`, `procedure`), found `globl`",
        ],
    );
    check_errors("global x bv8", &["1:10: expected `:`, found `bv8`"]);
    check_errors("global x:\nglobal y: bv8", &["1:10: expected a sort, found the end of the line"]);
    check_errors("global x: bv8 bv8", &["1:15: expected the end of the line, found `bv8`"]);
    check_errors("global é: bv8", &["1:8: expected a variable, found `é`"]);
    check_errors("global x: int\nglobal x: int", &["2:8: x is declared twice"]);
    check_errors("global |x: int", &["1:8: expected a closing bar"]);
    check_errors("global x: int type \"a", &["1:20: the string does not end on this line"]);
    check_errors("global x: int type \"\\q\"", &["1:21: expected an escape: `\\\\`, `\\\"`, `\\n` or `\\u{hex}`"]);
    check_errors("global x: int @1", &["1:17: expected `:`, found the end of the text"]);
    check_errors("global x: int @1:99999999999", &["1:18: the number 99999999999 is too large"]);
    check_errors("object 2 x: variable size 1", &["1:8: this is object 1: they are numbered from 1 on"]);
    check_errors("axiom", &["1:6: expected a term, found the end of the text"]);
    check_errors("axiom (and true 5)", &["1:8: And does not apply to (Bool, Int)"]);
    check_errors("procedure main() {", &["1:19: expected `}`, found the end of the text"]);
    check_errors("procedure main()", &["1:17: expected `benign`, `unknown` or `{`, found the end of the text"]);
    check_errors("procedure main( {}", &["1:17: expected a parameter, `...` or `)`, found `{`"]);
    check_errors("procedure main() {}\nprocedure main() {}", &["2:11: the procedure main is declared twice"]);
    check_errors(
        "procedure main() {\nL2 -> L4: call g()\n}",
        &["2:7: L4 is mentioned, but L3 is not; declare it as `location L3`"],
    );
    check_errors("procedure main() {\nentry -> exit: call g()\n}", &["2:21: there is no procedure g"]);
    check_errors("procedure main() {\nentry -> L99999999999\n}", &["2:10: the number of L99999999999 is too large"]);
    check_errors(
        "procedure main() {\nentry -> L4294967295\n}",
        &["2:10: L4294967295 is mentioned, but L2 is not; declare it as `location L2`"],
    );
    check_errors("procedure main() {\nlocation a\nlocation a end\n}", &["3:10: the location is declared twice"]);
    check_errors("procedure main() {\nlocation a error p\n}", &["2:18: there is no property p above"]);
    check_errors("procedure main() {\nentry exit\n}", &["2:1: expected another location that is the entry"]);
    check_errors("procedure main() {\nentry -> 1\n}", &["2:10: expected a location, found `1`"]);
}

#[test]
fn several_errors_are_found_at_once() {
    check_errors(
        "global x: int\nglobal y\nproperty p\nprocedure f() {\n entry -> a: x := \n a -> b: x = 5\n b -> exit: z := 1\n c d\n atomic\n}\nprocedure g( {\n entry -> exit\n}\naxiom false false",
        &[
            "2:9: expected `:`, found the end of the line",
            "3:11: expected the property's class, found the end of the line",
            "5:19: expected a term, found the end of the line",
            "6:12: expected `:=`, found `=`",
            "7:13: unknown variable z",
            "8:4: expected `->`, found `d`",
            "9:8: expected `->`, found the end of the line",
            "11:14: expected a parameter, `...` or `)`, found `{`",
            "14:13: expected the end of the line, found `false`",
        ],
    );
    check_errors(
        "procedure f() {\n entry -> exit\nglobal x: int\nglobal y",
        &["3:1: expected `}`, found `global`", "4:9: expected `:`, found the end of the text"],
    );
    let many = "global x\n".repeat(1000);
    assert_eq!(parse(&many).expect_err("a thousand errors").len(), 20);
}

#[test]
fn errors_become_diagnostics() {
    let text = "global x bv8";
    let mut sources = source::SourceMap::new();
    let file = sources.add("t.ir", text.into());
    let diagnostic = parse(text).expect_err("no program")[0].diagnostic(file);
    assert_eq!(diagnostic.message, "expected `:`, found `bv8`");
    assert_eq!(sources.slice(diagnostic.primary.expect("a place").span), b"bv8");
}

#[test]
fn bytes_need_not_be_text() {
    let errors = parse_bytes(b"global x: int\n\"\xff\"").expect_err("no UTF-8");
    assert_eq!(errors[0].to_string(), "2:2: the text is not in UTF-8");
    assert!(parse_bytes(b"procedure main() {}").is_ok());
}

#[test]
fn no_text_is_too_deep_or_too_long() {
    let n = 100_000;
    let body = |op: String| format!("global b: bool\nprocedure main() {{\n entry -> exit: {op}\n}}");
    assert!(parse(&body(format!("assume {}b{}", "(not ".repeat(n), ")".repeat(n)))).is_ok());
    let hostile = [
        body(format!("assume {}", "(not ".repeat(n))),
        body(format!("assume {}", "(".repeat(n))),
        body(format!("assume {}", "((_ ".repeat(n))),
        body(format!("assume {}", "(_ array Int ".repeat(n))),
        body(format!("assume {}", "(let ((?1 ".repeat(n))),
        body(format!("assume {}", "(forall ((x Bool)) ".repeat(n))),
        body(format!("b := call f({}", "b, ".repeat(n))),
        body(format!("b{}", ", b".repeat(n))),
        format!("global x: {}", "(Array ".repeat(n)),
        format!("global x: {}", "(T ".repeat(n)),
        format!("global {}", "a::".repeat(n)),
        format!("procedure f({}", "\n".repeat(n)),
        "|".repeat(n),
        "\"".repeat(n),
        "global x: int type \"\\u{".repeat(n),
        "procedure f() {\n".repeat(n),
        "@1:".repeat(n),
        "é".repeat(n),
        "\n".repeat(n),
        ";".repeat(n),
        format!("procedure main() {{\n{}}}", (0..n).map(|i| format!("L{} -> a{i}\n", 3 * i)).collect::<String>()),
    ];
    for text in hostile {
        assert!(parse(&text).is_err(), "{}", &text[..text.floor_char_boundary(60)]);
    }
}
