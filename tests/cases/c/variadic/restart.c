//! run: 606
// A list can be started twice.
#include <stdio.h>
#include <stdarg.h>

static int f(int n, ...) {
    int sum = 0, weight = 1;
    for (int pass = 0; pass < 2; pass++) {
        va_list ap;
        va_start(ap, n);
        for (int i = 0; i < n; i++)
            sum += va_arg(ap, int) * weight;
        va_end(ap);
        weight = 100;
    }
    return sum;
}

int main(void) {
    printf("%d\n", f(3, 1, 2, 3));
    return 0;
}
