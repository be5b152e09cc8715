//! run: 6 0
// A null pointer ends the list.
#include <stdio.h>
#include <stdarg.h>
#include <string.h>

static int total_length(const char *first, ...) {
    va_list ap;
    int n = 0;
    va_start(ap, first);
    for (const char *s = first; s; s = va_arg(ap, const char *))
        n += strlen(s);
    va_end(ap);
    return n;
}

int main(void) {
    printf("%d %d\n", total_length("a", "bcd", "", "ef", (char *)0), total_length((char *)0));
    return 0;
}
