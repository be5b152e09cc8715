//! run: 4 -1 7
// Hints that change nothing.
#include <stdio.h>

#define likely(x) __builtin_expect(!!(x), 1)

static int f(int n) {
    if (likely(n > 0))
        return n;
    if (n <= 0)
        return -1;
    __builtin_unreachable();
}

int main(void) {
    printf("%d %d %ld\n", f(4), f(-4), __builtin_expect(7, 3));
    __builtin_prefetch(&f);
    return 0;
}
