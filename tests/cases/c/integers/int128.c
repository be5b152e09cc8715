//! model: lp64
//! run: 14379386343318 9682165104862298112
//! run: -500 -3
//! run: 16 1
// 128-bit integers.
#include <stdio.h>

int main(void) {
    unsigned __int128 x = 1;
    for (int i = 1; i <= 30; i++)
        x *= i;
    printf("%llu %llu\n", (unsigned long long)(x >> 64), (unsigned long long)x);
    __int128 n = -5;
    n *= 1000000000000000000ll;
    n *= 100;
    printf("%lld %d\n", (long long)(n / 1000000000000000000ll), (int)(n % 7));
    printf("%d %d\n", (int)sizeof n, n < 0);
    return 0;
}
