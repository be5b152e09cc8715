//! run: -5 9 -1
// A list is passed to another function.
#include <stdio.h>
#include <stdarg.h>

static int vmax(int n, va_list ap) {
    int best = va_arg(ap, int);
    while (--n) {
        int x = va_arg(ap, int);
        if (x > best)
            best = x;
    }
    return best;
}

static int max(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int best = vmax(n, ap);
    va_end(ap);
    return best;
}

int main(void) {
    printf("%d %d %d\n", max(1, -5), max(3, 4, 9, 2), max(4, -1, -2, -3, -4));
    return 0;
}
