//! run: 2 40000000 1
//! run: -9 -2 -1
//! run: 810 10
//! run: 1099511627776 f
//! run: 32
//! run: 10 -5 40
// Shifts work in the promoted type of the left operand; right shifts of negative numbers are arithmetic.
#include <stdio.h>

int main(void) {
    unsigned u = 0x80000001u;
    int n = -17;
    unsigned char c = 0x81;
    long long w = 1;
    printf("%x %x %x\n", u << 1, u >> 1, u >> 31);
    printf("%d %d %d\n", n >> 1, n >> 4, n >> 31);
    printf("%x %x\n", c << 4, (unsigned char)(c << 4));
    printf("%lld %llx\n", w << 40, (unsigned long long)-1 >> 60);
    printf("%d\n", 1 << (char)5);
    u <<= 4;
    n >>= 2;
    c >>= 1;
    printf("%x %d %x\n", u, n, c);
    return 0;
}
