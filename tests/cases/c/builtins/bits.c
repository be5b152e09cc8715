//! run: 4 4 24 5
//! run: 1 0 0
//! run: 40 23 40
//! run: 78563412 100000000000000
// Counting bits.
#include <stdio.h>

int main(void) {
    unsigned x = 0x00f0;
    printf("%d %d %d %d\n", __builtin_popcount(x), __builtin_ctz(x), __builtin_clz(x), __builtin_ffs(x));
    printf("%d %d %d\n", __builtin_parity(7), __builtin_parity(3), __builtin_ffs(0));
    unsigned long long w = 1ull << 40;
    printf("%d %d %d\n", __builtin_ctzll(w), __builtin_clzll(w), __builtin_popcountll(w - 1));
    printf("%x %llx\n", __builtin_bswap32(0x12345678), (unsigned long long)__builtin_bswap64(1));
    return 0;
}
