//! run: 12586269025 1548008755920 59
// A static array as a cache.
#include <stdio.h>

static int computed;

static unsigned long long fib(int n) {
    static unsigned long long cache[64] = {0, 1};
    if (n < 2 || cache[n])
        return cache[n];
    computed++;
    return cache[n] = fib(n - 1) + fib(n - 2);
}

int main(void) {
    unsigned long long a = fib(50), b = fib(60);
    printf("%llu %llu %d\n", a, b, computed);
    return 0;
}
