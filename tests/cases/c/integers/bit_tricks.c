//! run: 0 0 0 0
//! run: 1 80000000 1 1
//! run: 24 f77db57b b1fb6198 1
//! run: 13 1e6a2c48 1b2e7d44 8
//! run: 32 ffffffff 80000000 1
//! run: 25 12 21
// Bitwise operators together.
#include <stdio.h>

static int bits(unsigned x) {
    int n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
}

static unsigned reverse(unsigned x) {
    x = (x & 0x55555555) << 1 | (x >> 1 & 0x55555555);
    x = (x & 0x33333333) << 2 | (x >> 2 & 0x33333333);
    x = (x & 0x0f0f0f0f) << 4 | (x >> 4 & 0x0f0f0f0f);
    return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24;
}

int main(void) {
    unsigned samples[] = {0, 1, 0xdeadbeef, 0x12345678, ~0u};
    for (int i = 0; i < 5; i++)
        printf("%d %x %x %x\n", bits(samples[i]), reverse(samples[i]), samples[i] ^ samples[i] >> 1, samples[i] & -samples[i]);
    int a = 12, b = 25;
    a ^= b;
    b ^= a;
    a ^= b;
    printf("%d %d %d\n", a, b, ~a & b | a & ~b);
    return 0;
}
