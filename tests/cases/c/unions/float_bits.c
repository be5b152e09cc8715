//! run: 3f800000 3f
//! run: -1
//! run: 3.14159
// The bits of a float through a union.
#include <stdio.h>

union pun { float f; unsigned u; unsigned char b[4]; };

int main(void) {
    union pun p;
    p.f = 1.0f;
    printf("%x %x\n", p.u, p.b[3]);
    p.u ^= 0x80000000u;
    printf("%g\n", p.f);
    p.b[3] = 0x40;
    p.b[2] = 0x49;
    p.b[1] = 0x0f;
    p.b[0] = 0xdb;
    printf("%.5f\n", p.f);
    return 0;
}
