//! run-ilp32: 0 1 2
//! run-ilp32: 4294967295 4294967295 18446744073709551615
//! run-ilp32: 1 1
//! run-ilp32: 0 255
//! run-ilp32: 797261938
//! run-lp64: 0 1 2
//! run-lp64: 4294967295 18446744073709551615 18446744073709551615
//! run-lp64: 1 1
//! run-lp64: 0 255
//! run-lp64: 797261938
// Unsigned arithmetic wraps at the width of the type.
#include <stdio.h>
#include <limits.h>

int main(void) {
    unsigned u = UINT_MAX;
    unsigned long l = ULONG_MAX;
    unsigned long long ll = ULLONG_MAX;
    printf("%u %lu %llu\n", u + 1, l + 2, ll + 3);
    printf("%u %lu %llu\n", 0u - 1, 0ul - 1, 0ull - 1);
    printf("%u %llu\n", u * u, ll * ll);
    unsigned short s = USHRT_MAX;
    s++;
    unsigned char c = 0;
    c--;
    printf("%u %u\n", s, c);
    unsigned h = 2166136261u;
    for (int i = 0; i < 10; i++)
        h = (h ^ i) * 16777619u;
    printf("%u\n", h);
    return 0;
}
