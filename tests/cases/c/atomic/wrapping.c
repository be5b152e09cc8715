//! run: 4294967295 1
// Atomic arithmetic wraps.
#include <stdio.h>
#include <limits.h>
#include <stdatomic.h>

int main(void) {
    atomic_uint u = 0;
    atomic_int i = INT_MAX;
    atomic_fetch_sub(&u, 1);
    atomic_fetch_add(&i, 1);
    printf("%u %d\n", u, i == INT_MIN);
    return 0;
}
