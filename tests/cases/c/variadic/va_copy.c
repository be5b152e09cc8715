//! run: 90924
// A copied list goes its own way.
#include <stdio.h>
#include <stdarg.h>

static int f(int n, ...) {
    va_list a, b;
    va_start(a, n);
    int first = va_arg(a, int);
    va_copy(b, a);
    int sum = 0, product = 1;
    for (int i = 1; i < n; i++)
        sum += va_arg(a, int);
    for (int i = 1; i < n; i++)
        product *= va_arg(b, int);
    va_end(a);
    va_end(b);
    return first * 10000 + sum * 100 + product;
}

int main(void) {
    printf("%d\n", f(4, 9, 2, 3, 4));
    return 0;
}
