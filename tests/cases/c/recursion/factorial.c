//! run: 3628800 2432902008176640000
// Plain recursion.
#include <stdio.h>

static unsigned long long fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }

int main(void) {
    printf("%llu %llu\n", fact(10), fact(20));
    return 0;
}
