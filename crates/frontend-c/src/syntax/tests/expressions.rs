//! Expressions: precedence, casts and literals.

use super::{check, check_body};

#[track_caller]
fn check_expr(text: &str, expected: &str) {
    check_body(&format!("{text};"), expected);
}

#[test]
fn precedence_and_associativity() {
    check_expr("a + b * c - d", "(- (+ a (* b c)) d)");
    check_expr(
        "a << b + c < d == e & f ^ g | h && i || j",
        "(|| (&& (| (^ (& (== (< (<< a (+ b c)) d) e) f) g) h) i) j)",
    );
    check_expr("a = b += c, d", "(, (= a (+= b c)) d)");
    check_expr("a ? b, c : d ? e : f", "(? a (, b c) (? d e f))");
    check_expr("a ?: b ?: c", "(?: a (?: b c))");
    check_expr("a || b ? c : d = e", "(= (? (|| a b) c d) e)");
    check_expr("a / b % c * d", "(* (% (/ a b) c) d)");
    check_expr("a - (b - c)", "(- a (- b c))");
    check_expr("a -- - -- b", "(- (post-- a) (-- b))");
    check_expr("a<=b>=c!=d>>e", "(!= (>= (<= a b) c) (>> d e))");
    check_expr(
        "a%=b; a/=b; a*=b; a-=b; a<<=b; a>>=b; a&=b; a|=b; a^=b",
        "(%= a b) (/= a b) (*= a b) (-= a b) (<<= a b) (>>= a b) (&= a b) (|= a b) (^= a b)",
    );
}

#[test]
fn prefix_and_postfix() {
    check_expr("-!~+*&x", "(- (! (~ (+ (* (& x))))))");
    check_expr("*p++", "(* (post++ p))");
    check_expr("a[i].b->c(d, e)[f]--", "(post-- (index (call (-> (. (index a i) b) c) d e) f))");
    check_expr("f()()", "(call (call f))");
    check_expr("__real__ z + __imag z", "(+ (real z) (imag z))");
    check_expr("__extension__ a + __extension__ (b)", "(+ a b)");
    check_expr("&&L - &&M", "(- (&& L) (&& M))");
}

#[test]
fn casts_and_sizes() {
    check_expr("(int)x + 1", "(+ (cast int x) 1)");
    check_expr("(char*)(x)[1]", "(cast (ptr char) (index x 1))");
    check_expr("(x)(y)", "(call x y)");
    check_expr("-(unsigned long)-1", "(- (cast unsignedlong (- 1)))");
    check_expr("sizeof x + 1", "(+ (sizeof x) 1)");
    check_expr("sizeof(int) * 2", "(* (sizeof-type int) 2)");
    check_expr("sizeof(x)[1]", "(sizeof (index x 1))");
    check_expr("sizeof (int){1}", "(sizeof (literal int {1}))");
    check_expr("sizeof(int[3])", "(sizeof-type (array 3 int))");
    check_expr("_Alignof(long), __alignof__ x", "(, (alignof-type long) (alignof x))");
    check_expr("(struct s){1, .b = 2}.b", "(. (literal (struct s) {1 (.b 2)}) b)");
    check_expr("&(int[]){1, 2}", "(& (literal (array ? int) {1 2}))");
    check_expr("(void (*)(int, ...))p", "(cast (ptr (fn (int ...) void)) p)");
    check_expr("(int (*[3])(void))p", "(cast (array 3 (ptr (fn () int))) p)");
    check_expr("(const char *const *)p", "(cast (ptr (ptr const const char)) p)");
    check_expr("(__attribute__((vector_size(16))) int)p", "(cast @vector(16) int p)");
    check("typedef int T; int x = (T)+1;", "(declare typedef T int)\n(declare x int (cast T (+ 1)))");
    check("int T; int x = (T)+1;", "(declare T int)\n(declare x int (+ T 1))");
}

#[test]
fn literals() {
    check_expr("1, 0x1Fu, 017l, 0b11ull, 42LL", "(, (, (, (, 1 0x1fu) 0o17l) 0b11ull) 42ll)");
    check_expr("1.5, .5f, 0x1p3L, 1e5q", "(, (, (, 1.5 .5f) 0x1p3l) 1e5float128)");
    check_expr("'a' + L'b' + u'c' + U'd' + '\\n'", "(+ (+ (+ (+ plain:97 wide:98) utf16:99) utf32:100) plain:10)");
    check_expr("\"a\" \"b\\x41\" \"c\"", "\"abAc\"");
    check_expr("L\"a\" \"b\"", "wide:\"ab\"");
    check_expr("u8\"é\"", "utf8:\"Ã©\"");
    check_expr("\"a\\\nb\" \"\\\\\"", "\"ab\\\\\"");
    check_expr("x\\\n\\\ny + 1\\\n2", "(+ xy 12)");
    check_expr("L + u8 + \\u00e9t\\U000000e9", "(+ (+ L u8) été)");
}

#[test]
fn builtins_with_types() {
    check_expr("__builtin_va_arg(ap, int *)", "(va-arg ap (ptr int))");
    check_expr("__builtin_offsetof(struct s, a.b[2].c)", "(offsetof (struct s) .a.b[2].c)");
    check_expr("__builtin_offsetof(struct s, a->b)", "(offsetof (struct s) .a[0].b)");
    check_expr("__builtin_types_compatible_p(int, typeof(x))", "(compatible int (typeof x))");
    check_expr("__builtin_choose_expr(1, a, b)", "(choose 1 a b)");
    check_expr("__builtin_expect(!!(x), 0)", "(call __builtin_expect (! (! x)) 0)");
    check_expr("_Generic(x, int: a, char *: b, default: c)", "(generic x (int a) ((ptr char) b) (default c))");
    check_expr("__func__", "__func__");
}

#[test]
fn statement_expressions() {
    check_expr("x = ({ int y = 1; y + 1; })", "(= x (statements {(declare y int 1) (+ y 1)}))");
    check_expr("({ ({ 1; }); })", "(statements {(statements {1})})");
    check_expr("({})", "(statements {})");
}

#[test]
fn initialisers() {
    check("int a[] = {1, 2,};", "(declare a (array ? int) {1 2})");
    check("int a[] = {[2] = 1, [3 ... 5] = 2, [7] 3};", "(declare a (array ? int) {([2] 1) ([3 ... 5] 2) ([7] 3)})");
    check("struct s x = {.a.b[1] = 2, c: 3, {}};", "(declare x (struct s) {(.a.b[1] 2) (.c 3) {}})");
    check("int a[2][2] = {{1, 2}, {3}};", "(declare a (array 2 (array 2 int)) {{1 2} {3}})");
    check("char s[] = \"x\", *p = (\"y\");", "(declare s (array ? char) \"x\") (declare p (ptr char) \"y\")");
}
