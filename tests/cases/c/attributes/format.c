//! run: 3
// A printf-like function with a checked format.
#include <stdio.h>
#include <stdarg.h>

static int count(const char *format, ...) __attribute__((format(printf, 1, 2)));
static int count(const char *format, ...) {
    int n = 0;
    for (; *format; format++)
        n += *format == '%';
    return n;
}

int main(void) {
    printf("%d\n", count("%d %s %c", 1, "a", 'b'));
    return 0;
}
