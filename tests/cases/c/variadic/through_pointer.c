//! run: 20 50 9
// A variadic function is called through a pointer, and recursively.
#include <stdio.h>
#include <stdarg.h>

static int pick(int index, ...) {
    va_list ap;
    va_start(ap, index);
    int v = 0;
    for (int i = 0; i <= index; i++)
        v = va_arg(ap, int);
    va_end(ap);
    return v > 100 ? pick(0, v - 100, 5) : v;
}

int main(void) {
    int (*f)(int, ...) = pick;
    printf("%d %d %d\n", f(1, 10, 20, 30), f(0, 350), pick(f(0, 2), 7, 8, 9));
    return 0;
}
