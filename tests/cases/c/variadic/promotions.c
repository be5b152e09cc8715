//! run: -1 255 -300 0.5 1
//! run: 1.25 120 -0.5
// Narrow arguments arrive as int, floats as double.
#include <stdio.h>
#include <stdarg.h>

static void show(const char *kinds, ...) {
    va_list ap;
    va_start(ap, kinds);
    for (; *kinds; kinds++)
        if (*kinds == 'd')
            printf("%g ", va_arg(ap, double));
        else
            printf("%d ", va_arg(ap, int));
    printf("\n");
    va_end(ap);
}

int main(void) {
    char c = -1;
    unsigned char u = 255;
    short s = -300;
    float f = 0.5f;
    _Bool b = 1;
    show("iiidi", c, u, s, f, b);
    show("did", 1.25, 'x', -f);
    return 0;
}
