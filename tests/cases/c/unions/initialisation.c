//! run: 65 A hi 0 3
//! run: 20001 0
// Without a designator the first member is initialised.
#include <stdio.h>

union u { int i; char c[8]; struct { short a, b; } s; };

union u global = {.s = {1, 2}};
union u zero;

int main(void) {
    union u a = {65}, b = {.c = "hi"}, c = {.s = {.b = 3}};
    printf("%d %c %s %d %d\n", a.i, a.c[0], b.c, c.s.a, c.s.b);
    printf("%x %d\n", global.i, zero.i);
    return 0;
}
