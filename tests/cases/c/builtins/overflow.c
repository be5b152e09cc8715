//! run: 1 -2147483648
//! run: 0 -2
//! run: 1 0
//! run: 1 4294967294
//! run: 1 -56
//! run: 0 9000000000
// Arithmetic that tells of overflow.
#include <stdio.h>
#include <limits.h>

int main(void) {
    int r;
    printf("%d ", __builtin_add_overflow(INT_MAX, 1, &r));
    printf("%d\n", r);
    printf("%d ", __builtin_sub_overflow(5, 7, &r));
    printf("%d\n", r);
    printf("%d ", __builtin_mul_overflow(65536, 65536, &r));
    printf("%d\n", r);
    unsigned u;
    printf("%d ", __builtin_sub_overflow(5, 7, &u));
    printf("%u\n", u);
    signed char c;
    printf("%d ", __builtin_add_overflow(100, 100, &c));
    printf("%d\n", c);
    long long w;
    printf("%d ", __builtin_mul_overflow(3000000000ll, 3, &w));
    printf("%lld\n", w);
    return 0;
}
