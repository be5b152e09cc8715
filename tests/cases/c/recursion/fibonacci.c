//! run: 610 1973
// Two calls in one expression.
#include <stdio.h>

static int calls;

static int fib(int n) {
    calls++;
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

int main(void) {
    int f = fib(15);
    printf("%d %d\n", f, calls);
    return 0;
}
