//! run: 300 0 20000
//! run: 128 -201 0
//! run: 60000 65536
//! run: 4 4 4
//! run: 44 127
//! run: -39
// Operands narrower than int are promoted before arithmetic.
#include <stdio.h>

int main(void) {
    unsigned char a = 200, b = 100;
    signed char c = -128;
    short s = 30000;
    unsigned short u = 65535;
    printf("%d %d %d\n", a + b, a - 2 * b, a * b);
    printf("%d %d %d\n", -c, ~a, !c);
    printf("%d %d\n", s + s, u + 1);
    printf("%d %d %d\n", (int)sizeof(a + b), (int)sizeof(+s), (int)sizeof(u << 1));
    printf("%d %d\n", (unsigned char)(a + b), (signed char)(c - 1));
    printf("%d\n", (c >> 1) + (a >> 3));
    return 0;
}
