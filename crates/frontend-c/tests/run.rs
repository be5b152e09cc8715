//! Programs executed: what gcc makes of them, Fathom's interpreter must find, too.
//!
//! The programs in `programs` check themselves: they return 0, or the number of the first check that failed. So they do
//! with gcc, with `-m32` and with `-m64`.

use frontend_c::{Options, load_text};
use ir::DataModel;
use ir::interp::{End, Interpreter, Limits, NoHost, Zeros};
use source::{SourceMap, Symbol};
use std::fmt::Write;
use term::Value;

/// How a program ends that is executed with no choice made.
fn ending(text: &str, model: DataModel, properties: &[&str]) -> String {
    let mut map = SourceMap::new();
    let options = Options { properties: properties.iter().map(|p| Symbol::new(p)).collect(), ..Options::new(model) };
    let program = match load_text("test.c", text, &options, &mut map) {
        Ok(program) => program,
        Err(errors) => {
            return errors.iter().fold(String::new(), |mut all, error| {
                let _ = writeln!(all, "{}", source::render(error, &map, false));
                all
            });
        }
    };
    assert_eq!(ir::validate(&program), Ok(()));
    let limits = Limits { steps: 1_000_000, ..Limits::default() };
    match Interpreter::new(&program).run(&mut Zeros, &mut NoHost, &limits, None).end {
        End::Finished(results) => match &results[..] {
            [(_, Value::Bv(status))] => format!("returns {}", status.signed()),
            other => format!("returns {other:?}"),
        },
        End::Ended => "ends".to_owned(),
        End::Violated(property) => format!("violates {}", program.property(property).class),
        End::Blocked => "blocks".to_owned(),
        End::Undefined(what) => format!("undefined: {what}"),
        End::Unsupported(what) => format!("unsupported: {what}"),
        other => format!("{other:?}"),
    }
}

#[test]
fn programs_check_themselves() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs");
    let mut programs: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    programs.sort();
    assert!(!programs.is_empty());
    for path in programs {
        let text = std::fs::read_to_string(&path).unwrap();
        for model in [DataModel::Lp64, DataModel::Ilp32] {
            assert_eq!(ending(&text, model, &["unreach-call"]), "returns 0", "{} {model}", path.display());
        }
    }
}

fn check(properties: &[&str], program: &str, expected: &str) {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        assert_eq!(ending(program, model, properties), expected, "{properties:?} {model}\n{program}");
    }
}

const HEAP: &str = "void *malloc(unsigned long); void free(void *); ";

fn check_heap(properties: &[&str], body: &str, expected: &str) {
    check(properties, &format!("{HEAP}{body}"), expected);
}

#[test]
fn errors_are_reached() {
    let only = &["unreach-call"];
    check(only, "void reach_error() {} int main() { reach_error(); return 0; }", "violates unreach-call");
    check(only, "extern void __VERIFIER_error(); int main() { __VERIFIER_error(); }", "violates unreach-call");
    check(only, "void assert(int); int main() { assert(1 > 0); assert(0); }", "violates unreach-call");
    check(only, "void __VERIFIER_assume(int); int main() { __VERIFIER_assume(0); return 1; }", "blocks");
    check(&["no-overflow"], "void reach_error(); int main() { reach_error(); return 0; }", "ends");
    check(only, "void exit(int); int main() { exit(3); return 0; }", "ends");
    let labelled = "int main() { int x = 3; if (x == 3) goto ERROR; return 0; ERROR: return 1; }";
    check(&["unreach-label:ERROR"], labelled, "violates unreach-label:ERROR");
    check(&["unreach-label:OTHER"], labelled, "returns 1");
    check(only, labelled, "returns 1");
}

#[test]
fn signed_arithmetic_overflows() {
    for (expression, overflows) in [
        ("x + 1", true),
        ("x * 2", true),
        ("-(-x - 1)", true),
        ("(-x - 1) / minus", true),
        ("(-x - 1) % minus", true),
        ("(x - 2147483646) << 31", true),
        ("(x - 2147483646) << 30", false),
        ("x - 1", false),
        ("-x", false),
        ("(unsigned)x + 1 + x", false),
        ("(char)(x + minus)", false),
        ("x + 1ll", false),
    ] {
        let program = format!("int main() {{ int x = 2147483647, minus = -1; long long y = {expression}; return 0; }}");
        check(&["no-overflow"], &program, if overflows { "violates no-overflow" } else { "returns 0" });
    }
    check(&["no-overflow"], "int main() { signed char c = 127; c++; return c == -128; }", "returns 1");
    check(&["unreach-call"], "int main() { int x = 2147483647; x++; return x < 0; }", "returns 1");
}

#[test]
fn divisions_by_zero_have_no_result() {
    let program = "int main() { int x = 0; return 3 / x; }";
    check(&["div-by-zero"], program, "violates div-by-zero");
    check(&["unreach-call"], program, "blocks");
    check(&["div-by-zero"], "int main() { int x = 0; return x != 0 && 3 / x > 1; }", "returns 0");
}

#[test]
fn accesses_must_be_valid() {
    let deref = &["valid-deref"];
    let invalid = "violates valid-deref";
    check(deref, "int main() { int *p = 0; return *p; }", invalid);
    check(deref, "int main() { int a[3], i = 3; a[i] = 1; return 0; }", invalid);
    check(deref, "int main() { int a[3], i = 2; a[i] = 1; return a[2]; }", "returns 1");
    check(deref, "int *f() { int x = 1; int *p = &x; return p; } int main() { return *f(); }", invalid);
    check(deref, "int main() { int *p; { int x = 3; p = &x; } return *p; }", invalid);
    let left =
        "int main() { int *p; for (int i = 0;; i++) { int x = 3; p = &x; if (i == 1) goto out; } out: return *p; }";
    check(deref, left, invalid);
    check(deref, &left.replace("goto out", "break"), invalid);
    check(deref, "int main() { char *s = \"abc\"; s[0] = 1; return 0; }", invalid);
    check(deref, "int main() { char s[] = \"abc\"; s[0] = 1; return s[0]; }", "returns 1");
    check(deref, "unsigned long strlen(const char *); int main() { char s[2] = { 1, 2 }; return strlen(s); }", invalid);
    check(deref, "int main() { int (*f)(void) = 0; return f(); }", invalid);
    check(deref, "char *f() { return __builtin_alloca(4); } int main() { return *f(); }", invalid);
    check(deref, "int main(int n, char **v) { return (n > 0 && v[0][0]) + (v[n] == 0); }", "returns 1");
    check_heap(deref, "int main() { int *p = malloc(4); *p = 1; free(p); return *p; }", invalid);
    check_heap(deref, "int main() { int *p = malloc(4); *p = 1; int x = *p; free(p); return x; }", "returns 1");
    check(
        &["null-deref"],
        "struct s { int a, b; }; int main() { struct s *p = 0; return p->b; }",
        "violates null-deref",
    );
    check(&["array-bounds"], "int a[3]; int main() { int i = 5; return a[i]; }", "violates array-bounds");
    check(&["array-bounds"], "int a[2][3]; int main() { int i = 3; return a[0][i]; }", "violates array-bounds");
    check(&["array-bounds"], "int a[3]; int main() { int i = 2; return a[i] + *(&a[3] - 1); }", "returns 0");
    check(
        &["unreach-call"],
        "int x; int main() { int (*f)(void) = (int (*)(void))&x; return f(); }",
        "unsupported: a call through a pointer to no function of its type",
    );
    check(&["unreach-call"], "int main() { int (*f)(void) = 0; return f(); }", "ends");
}

#[test]
fn memory_is_freed_once_and_before_the_end() {
    check_heap(
        &["valid-free"],
        "int main() { int *p = malloc(4); free(p); free(p); return 0; }",
        "violates valid-free",
    );
    check_heap(&["valid-free"], "int main() { int *p = malloc(8); free(p + 1); return 0; }", "violates valid-free");
    check_heap(&["valid-free"], "int main() { int x; free(&x); return 0; }", "violates valid-free");
    check_heap(&["valid-free"], "int main() { free(malloc(8)); free(0); return 0; }", "returns 0");
    for class in ["valid-memcleanup", "valid-memtrack"] {
        check_heap(&[class], "int main() { malloc(8); return 0; }", &format!("violates {class}"));
        check_heap(&[class], "int main() { free(malloc(8)); free(0); return 0; }", "returns 0");
    }
    let kept = "int *g; int main() { g = malloc(8); return 0; }";
    check_heap(&["valid-memcleanup"], kept, "violates valid-memcleanup");
    let unknown = "unsupported: whether memory that is not freed at the end is still pointed to";
    check_heap(&["valid-memtrack"], kept, unknown);
}

#[test]
fn what_is_not_supported_says_so() {
    let only = &["unreach-call"];
    check(only, "double j0(double); int main() { return j0(1.0) > 0; }", "unsupported: a call of j0");
    check(only, "float j0f(float); int main() { return j0f(1.0f) > 0; }", "unsupported: a call of j0f");
    check(
        only,
        "int getcontext(void *); int main() { int b[250]; return getcontext(b); }",
        "unsupported: a call of getcontext",
    );
    check(only, "int main() { double n = 0.0 / 0.0; return __builtin_signbit(n); }", "unsupported: the sign of a NaN");
}

/// Formatted text is written character by character.
#[test]
fn text_is_written_to_memory() {
    let check_text = |properties: &[&str], body: &str, expected: &str| {
        let declared = "void reach_error(); int snprintf(char *, unsigned long, const char *, ...);";
        let declared = format!("{declared} int sprintf(char *, const char *, ...); int nondet();");
        check(properties, &format!("{declared} int main() {{ char s[9]; {body} return 0; }}"), expected);
    };
    let only = &["unreach-call"];
    let exact =
        "if (sprintf(s, \"a%%b\") == 3 && s[0] == 'a' && s[1] == '%' && s[2] == 'b' && s[3] == 0) reach_error();";
    check_text(only, exact, "violates unreach-call");
    let cut = "if (snprintf(s, 3, \"abcd\") == 4 && s[1] == 'b' && s[2] == 0) reach_error();";
    check_text(only, cut, "violates unreach-call");
    check_text(only, "s[0] = 7; if (snprintf(s, 0, \"x\") == 1 && s[0] == 7) reach_error();", "violates unreach-call");
    check_text(only, "sprintf(s, \"%d\", 5); if (s[0] != '5') reach_error();", "returns 0");
    check_text(only, "if (sprintf(s, \"%s\", \"x\") == 1 && s[0] == 'x') reach_error();", "violates unreach-call");
    let unknown = "unsupported: what a violation has to do with a value that is not computed";
    check_text(only, "int fetestexcept(int); if (fetestexcept(1) == 0) reach_error();", unknown);
    check_text(only, "sprintf(s, \"x%d\", 5); if (s[0] != 'x') reach_error();", "returns 0");
    check_text(&["valid-deref"], "sprintf(s, \"123456789\");", "violates valid-deref");
    check_text(&["valid-deref"], "sprintf(s, \"12345678\");", "returns 0");
}

#[test]
fn entries_can_be_chosen() {
    let mut map = SourceMap::new();
    let options = Options { entry: Symbol::new("begin"), ..Options::new(DataModel::Lp64) };
    let program = load_text("test.c", "int begin(int x) { return x + 1; }", &options, &mut map).unwrap();
    let end = Interpreter::new(&program).run(&mut Zeros, &mut NoHost, &Limits::default(), None).end;
    assert!(matches!(end, End::Finished(results) if results[0].1 == Value::bv(32, 1)));
    let errors = load_text("test.c", "int f(void) { return 1; } int main(void);", &options, &mut map).unwrap_err();
    assert_eq!(errors[0].message, "the program defines no function `begin` to start with");
    assert_eq!(errors[0].notes, ["it defines `f`"]);
}
