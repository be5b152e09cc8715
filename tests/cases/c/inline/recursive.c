//! run: 8 111
// An inline function may call itself.
#include <stdio.h>

static inline unsigned collatz(unsigned n) { return n == 1 ? 0 : 1 + collatz(n % 2 ? 3 * n + 1 : n / 2); }

int main(void) {
    printf("%u %u\n", collatz(6), collatz(27));
    return 0;
}
