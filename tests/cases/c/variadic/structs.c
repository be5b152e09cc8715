//! run: 1113
// Structs as variadic arguments.
#include <stdio.h>
#include <stdarg.h>

struct p { int x, y; };
struct big { long long a[4]; };

static int f(int n, ...) {
    va_list ap;
    va_start(ap, n);
    struct p p = va_arg(ap, struct p);
    struct big b = va_arg(ap, struct big);
    int last = va_arg(ap, int);
    va_end(ap);
    return n + p.x * p.y + (int)b.a[3] + last;
}

int main(void) {
    struct p p = {3, 4};
    struct big b = {{1, 2, 3, 100}};
    printf("%d\n", f(1, p, b, 1000));
    return 0;
}
