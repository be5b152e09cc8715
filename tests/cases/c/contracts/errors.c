//! error: 14:33 a contract must not have side effects
//! error: 15:33 a contract must not have side effects
//! error: 16:33 `__fathom_result` has a meaning in ensures clauses only
//! error: 17:33 the function gives no result
//! error: 18:33 `__fathom_old` has a meaning in ensures clauses only
//! error: 19:33 `m` is not declared
//! error: 20:28 a type has no contract
//! error: 21:45 `__fathom_old` has a meaning in ensures clauses only, and not in itself
//! error: 22:33 a contract must not have side effects
//! error: 23:12 a contract needs a declaration with the types of the parameters
//! error: 24:34 a contract must not have side effects
int g, f0(void);
volatile int device;
int f1(int n) __fathom_requires((n = 1) == 1);
int f2(int n) __fathom_requires((n++) == 1);
int f3(int n) __fathom_requires(__fathom_result > n);
void f4(int n) __fathom_ensures(__fathom_result > n);
int f5(int n) __fathom_requires(__fathom_old(n) > 0);
int f6(int n) __fathom_requires(m > n);
typedef int f7(int a, ...) __fathom_requires(a > 0);
int f8(int n) __fathom_ensures(__fathom_old(__fathom_old(n)) > 0);
int f9(int n) __fathom_requires(device > n);
int f10(a) __fathom_requires(a > 0) int a; { return a; }
int f11(int n) __fathom_requires(f0() > n);
