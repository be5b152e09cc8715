//! run: 5000000993
// Arguments of different sizes in one list.
#include <stdio.h>
#include <stdarg.h>

static long long total(int n, ...) {
    va_list ap;
    va_start(ap, n);
    long long t = 0;
    for (int i = 0; i < n; i++)
        switch (i % 3) {
        case 0: t += va_arg(ap, int); break;
        case 1: t += va_arg(ap, long long); break;
        case 2: t += *va_arg(ap, int *); break;
        }
    va_end(ap);
    return t;
}

int main(void) {
    int x = 1000;
    printf("%lld\n", total(5, 1, 5000000000ll, &x, -7, -1ll));
    return 0;
}
