//! run: ok
// Every operator in constant expressions.
#include <stdio.h>

enum { N = 10 };
_Static_assert((N * 3 - 5) / 2 == 12 && N % 3 == 1, "arithmetic");
_Static_assert((N << 2 | 1) == 41 && (N & 6) == 2 && (~N ^ N) == -1, "bits");
_Static_assert(N > 5 ? 1 : 0, "conditional");
_Static_assert(!(N == 11) || 0, "logic");
_Static_assert(-1 < 0 && -1 > 0u, "conversions");
_Static_assert((unsigned char)300 == 44, "casts");
_Static_assert(sizeof(struct { int a; char b; }) == 8, "sizeof");
_Static_assert((int)3.9 == 3, "floats");

int main(void) {
    printf("ok\n");
    return 0;
}
