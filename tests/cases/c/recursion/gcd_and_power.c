//! run: 21 1 1594323 3095271137
// Tail calls and divide and conquer.
#include <stdio.h>

static unsigned gcd(unsigned a, unsigned b) { return b ? gcd(b, a % b) : a; }

static unsigned power(unsigned base, unsigned exponent) {
    if (!exponent)
        return 1;
    unsigned half = power(base, exponent / 2);
    return exponent % 2 ? half * half * base : half * half;
}

int main(void) {
    printf("%u %u %u %u\n", gcd(462, 1071), gcd(17, 5), power(3, 13), power(7, 20));
    return 0;
}
