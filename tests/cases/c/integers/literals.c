//! run-ilp32: 4 4 8 4
//! run-ilp32: 8 4 8
//! run-ilp32: 1 0
//! run-ilp32: 15 11 31
//! run-ilp32: 4294967295 18446744073709551615
//! run-ilp32: 1 0
//! run-ilp32: 9223372036854775807
//! run-lp64: 4 8 8 4
//! run-lp64: 8 4 8
//! run-lp64: 1 0
//! run-lp64: 15 11 31
//! run-lp64: 4294967295 18446744073709551615
//! run-lp64: 1 0
//! run-lp64: 9223372036854775807
// The type of a literal follows from its base, suffix and value.
#include <stdio.h>

int main(void) {
    printf("%d %d %d %d\n", (int)sizeof(1), (int)sizeof(1l), (int)sizeof(1ll), (int)sizeof(2147483647));
    printf("%d %d %d\n", (int)sizeof(2147483648), (int)sizeof(0x80000000), (int)sizeof(0xffffffffffffffff));
    printf("%d %d\n", 0x7fffffff > -1, 0x80000000 > -1);
    printf("%d %d %d\n", 017, 0b1011, 0x1F);
    printf("%u %llu\n", 4294967295u, 18446744073709551615ull);
    printf("%d %d\n", -2147483648 < 0, -0x80000000 < 0);
    printf("%lld\n", 9223372036854775807LL);
    return 0;
}
