//! run: 0 6 150
// A counted number of ints.
#include <stdio.h>
#include <stdarg.h>

static int sum(int n, ...) {
    va_list ap;
    int s = 0;
    va_start(ap, n);
    while (n--)
        s += va_arg(ap, int);
    va_end(ap);
    return s;
}

int main(void) {
    printf("%d %d %d\n", sum(0), sum(3, 1, 2, 3), sum(5, 10, 20, 30, 40, 50));
    return 0;
}
