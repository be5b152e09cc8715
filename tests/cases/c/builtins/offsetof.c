//! run-ilp32: 4 18 20
//! run-lp64: 4 18 24
// Offsets of members, through arrays and nested structs.
#include <stdio.h>

struct in { char c; short s[3]; };
struct out { int a; struct in in[2]; double d; };

int main(void) {
    printf("%d %d %d\n", (int)__builtin_offsetof(struct out, in), (int)__builtin_offsetof(struct out, in[1].s[2]),
           (int)__builtin_offsetof(struct out, d));
    return 0;
}
