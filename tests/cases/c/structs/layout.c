//! run-ilp32: 12 4 8
//! run-ilp32: 16 2 8
//! run-ilp32: 20 4 16
//! run-ilp32: 8 4
//! run-lp64: 12 4 8
//! run-lp64: 16 2 8
//! run-lp64: 32 8 24
//! run-lp64: 8 8
// Members are aligned; padding fills the gaps.
#include <stdio.h>
#include <stddef.h>

struct a { char c; int i; char d; };
struct b { char c; short s; char d; double x; };
struct c { char c[3]; long l; struct a inner; };
struct empty_tail { int n; char c; };

int main(void) {
    printf("%d %d %d\n", (int)sizeof(struct a), (int)offsetof(struct a, i), (int)offsetof(struct a, d));
    printf("%d %d %d\n", (int)sizeof(struct b), (int)offsetof(struct b, s), (int)offsetof(struct b, x));
    printf("%d %d %d\n", (int)sizeof(struct c), (int)offsetof(struct c, l), (int)offsetof(struct c, inner.d));
    printf("%d %d\n", (int)sizeof(struct empty_tail), (int)_Alignof(struct b));
    return 0;
}
