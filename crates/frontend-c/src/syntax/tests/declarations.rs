//! Declarations: specifiers, declarators and initialisers.

use super::check;

#[test]
fn type_words() {
    check("unsigned x; signed char y; char z;", "(declare x unsignedint)\n(declare y signedchar)\n(declare z char)");
    check(
        "long unsigned int long x; short y; int short unsigned z;",
        "(declare x unsignedlonglong)\n(declare y short)\n(declare z unsignedshort)",
    );
    check(
        "long double x; double long y; float z;",
        "(declare x longdouble)\n(declare y longdouble)\n(declare z float)",
    );
    check(
        "__int128 a; unsigned __int128 b; __uint128_t c;",
        "(declare a int128)\n(declare b unsignedint128)\n(declare c unsignedint128)",
    );
    check(
        "_Float128 a; __float128 b; _Float64x c;",
        "(declare a float128)\n(declare b float128)\n(declare c float64x)",
    );
    check(
        "_Complex double a; float _Complex b; _Complex c;",
        "(declare a (complex double))\n(declare b (complex float))\n(declare c (complex double))",
    );
    check("_Bool b; __signed__ s; __builtin_va_list l;", "(declare b bool)\n(declare s int)\n(declare l valist)");
    check("char unsigned typedef const volatile T;", "(declare typedef T const volatile unsignedchar)");
    check(
        "_Atomic int a; _Atomic(int *) b; int _Atomic c;",
        "(declare a _Atomic int)\n(declare b (atomic (ptr int)))\n(declare c _Atomic int)",
    );
    check(
        "typeof(int *) a; __typeof__(a + 1) b; typeof(a) c;",
        "(declare a (typeof-type (ptr int)))\n(declare b (typeof (+ a 1)))\n(declare c (typeof a))",
    );
}

#[test]
fn declarators() {
    check(
        "int *p, **q, a[2], *b[3], (*c)[4];",
        "(declare p (ptr int)) (declare q (ptr (ptr int))) (declare a (array 2 int)) (declare b (array 3 (ptr int))) (declare c (ptr (array 4 int)))",
    );
    check("int *(*f)(int);", "(declare f (ptr (fn (int) (ptr int))))");
    check(
        "void (*signal(int, void (*)(int)))(int);",
        "(declare signal (fn (int (ptr (fn (int) void))) (ptr (fn (int) void))))",
    );
    check("char (*(*x[3])(void))[5];", "(declare x (array 3 (ptr (fn () (ptr (array 5 char))))))");
    check("int ((x)), (*(y));", "(declare x int) (declare y (ptr int))");
    check("const int *const volatile p;", "(declare p (ptr const volatile const int))");
    check(
        "char *__restrict a, *restrict const b;",
        "(declare a (ptr restrict char)) (declare b (ptr const restrict char))",
    );
    check(
        "int f(int a[static const 3], int b[*], int c[restrict], int d[const 2]);",
        "(declare f (fn ((a (array static const 3 int)) (b (array * int)) (c (array restrict ? int)) (d (array const 2 int))) int))",
    );
    check(
        "int f(), g(void), h(int, ...), i(int x, char *);",
        "(declare f (fn ? int)) (declare g (fn () int)) (declare h (fn (int ...) int)) (declare i (fn ((x int) (ptr char)) int))",
    );
    check(
        "int f(int (*)(void), int [], int *[3]);",
        "(declare f (fn ((ptr (fn () int)) (array ? int) (array 3 (ptr int))) int))",
    );
    check("int f(int n, int a[n][n + 1]);", "(declare f (fn ((n int) (a (array n (array (+ n 1) int)))) int))");
}

#[test]
fn functions() {
    check("int main(void) { return 0; }", "(function main (fn () int) {(return 0)})");
    check("static inline int f(int x) { return x; }", "(function static inline f (fn ((x int)) int) {(return x)})");
    check("main() {}", "(function main (fn ? int) {})");
    check("f(a, b) char *b; { a; }", "(function f (fn a b int) (declare b (ptr char)) {a})");
    check("int (*f(int x))(void) { }", "(function f (fn ((x int)) (ptr (fn () int))) {})");
    check("*f(x) {}", "(function f (fn x (ptr int)) {})");
    check(
        "_Noreturn void f(void); __inline__ g() {}",
        "(declare noreturn f (fn () void))\n(function inline g (fn ? int) {})",
    );
    check(
        "void f(register int x, const char *const y);",
        "(declare f (fn ((register x int) (y (ptr const const char))) void))",
    );
}

#[test]
fn storage() {
    check("extern x; static y = 1; z;", "(declare extern x int)\n(declare static y int 1)\n(declare z int)");
    check("_Thread_local int a; static __thread int b;", "(declare thread a int)\n(declare static thread b int)");
    check(
        "typedef struct s S, *P; S x; P y;",
        "(declare typedef S (struct s)) (declare typedef P (ptr (struct s)))\n(declare x S)\n(declare y P)",
    );
    check(";;int x;;", "(declare x int)");
    check("_Static_assert(sizeof(int) == 4, \"size\");", "(static-assert (== (sizeof-type int) 4) \"size\")");
}

#[test]
fn records() {
    check(
        "struct s { int a, *b; char c[]; };",
        "(declare (struct s {(member a int) (member b (ptr int)) (member c (array ? char))}))",
    );
    check(
        "struct { unsigned a : 3, : 2; int : 0; } x;",
        "(declare x (struct {(member a unsignedint : 3) (member unsignedint : 2) (member int : 0)}))",
    );
    check(
        "struct s { struct { int a; }; union { int b; char c; } u; };",
        "(declare (struct s {(member (struct {(member a int)})) (member u (union {(member b int) (member c char)}))}))",
    );
    check(
        "struct s {}; union u; struct s *p;",
        "(declare (struct s {}))\n(declare (union u))\n(declare p (ptr (struct s)))",
    );
    check(
        "struct s { ;; int a; _Static_assert(1, \"\"); __extension__ int b; };",
        "(declare (struct s {(member a int) (static-assert 1 \"\") (member b int)}))",
    );
    check(
        "struct s { int (*f)(struct s *); const x; };",
        "(declare (struct s {(member f (ptr (fn ((ptr (struct s))) int))) (member x const int)}))",
    );
    check("struct s { int a } x;", "(declare x (struct s {(member a int)}))");
    check(
        "#pragma pack(push, 1)\nstruct a { int x; };\n#pragma pack(pop)\nstruct b { int x; };",
        "(declare (struct a {(member x int)} (pack 1)))\n(declare (struct b {(member x int)}))",
    );
}

#[test]
fn enumerations() {
    check("enum e { A, B = 2, C = A + 1, };", "(declare (enum e {A (B 2) (C (+ A 1))}))");
    check(
        "enum e x; enum { D __attribute__((deprecated)) = 1 } y;",
        "(declare x (enum e))\n(declare y (enum {(D 1)}))",
    );
}

#[test]
fn attributes() {
    check(
        "struct __attribute__((packed)) s { int a; } __attribute__((aligned(8), unused));",
        "(declare (struct s {(member a int)} @packed @aligned(8)))",
    );
    check(
        "int x __attribute__((aligned)), y __attribute__((__mode__(__DI__), section(\"s\")));",
        "(declare x int @aligned(none)) (declare y int @mode(\"di\"))",
    );
    check(
        "__attribute__((noreturn)) void f(void) __attribute__((weak, alias(\"g\")));",
        "(declare @noreturn f (fn () void) @weak @alias(\"g\"))",
    );
    check(
        "static void __attribute__((constructor(101))) f(void) {}",
        "(function static @constructor(101) f (fn () void) {})",
    );
    check(
        "typedef union { int a; } u __attribute__((__transparent_union__));",
        "(declare typedef u (union {(member a int)}) @transparentunion)",
    );
    check(
        "int (__attribute__((noreturn)) *f)(void), * __attribute__((unused)) g;",
        "(declare f (ptr (fn () int)) @noreturn) (declare g (ptr int))",
    );
    check(
        "struct s { char a; int b __attribute__((packed)), c : 2 __attribute__((aligned(4))); };",
        "(declare (struct s {(member a char) (member b int @packed) (member c int @aligned(4) : 2)}))",
    );
    check(
        "_Alignas(16) int x; _Alignas(double) char y;",
        "(declare @alignas(16) x int)\n(declare @alignas-type(double) y char)",
    );
    check(
        "typedef int v4 __attribute__((vector_size(4 * sizeof(int))));",
        "(declare typedef v4 int @vector((* 4 (sizeof-type int))))",
    );
    check(
        "void f(int x __attribute__((unused)), __attribute__((nonnull(1, 2))) char *y);",
        "(declare f (fn ((x int) (y (ptr char))) void))",
    );
    check(
        "int f(void) __asm__(\"\" \"g\") __attribute__((nothrow, const, , format(printf, 1, 2)));",
        "(declare f (fn () int) (asm \"g\"))",
    );
    check(
        "[[noreturn]] void f(void); [[gnu::packed, x::y(1 [2])]] int z;",
        "(declare @noreturn f (fn () void))\n(declare @packed z int)",
    );
    check("int a, __attribute__((weak)) b;", "(declare a int) (declare b int @weak)");
}

#[test]
fn what_a_preprocessor_leaves() {
    check(
        "# 1 \"a.c\"\nint x;\n#line 3 \"b.c\"\n#pragma GCC diagnostic push\n#ident \"v\"\n # 7\nint y;\n#",
        "(declare x int)\n(declare y int)",
    );
    check("int /* c */ x; // d\n/**/int/***/y;\x0c\r\n", "(declare x int)\n(declare y int)");
    check("\u{feff}int x<::> = <% 1 %>; // a \\\n b", "(declare x (array ? int) {1})");
    check("int a$b, été;", "(declare a$b int) (declare été int)");
    check("", "");
}
