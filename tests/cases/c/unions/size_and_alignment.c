//! run-ilp32: 8 2 20
//! run-ilp32: 1
//! run-lp64: 8 2 24
//! run-lp64: 1
// A union is as large as its largest member, rounded up to its alignment.
#include <stdio.h>

union a { char c[5]; int i; };
union b { char c; short s; };
union c { struct { char x; double d; } s; char raw[20]; };

int main(void) {
    printf("%d %d %d\n", (int)sizeof(union a), (int)sizeof(union b), (int)sizeof(union c));
    union a u;
    printf("%d\n", (char *)&u == u.c);
    return 0;
}
