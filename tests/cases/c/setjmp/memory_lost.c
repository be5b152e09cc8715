//! verdict: false(valid-memtrack)
//! decided-by: auto
//! model: lp64
//! property: valid-memtrack
#include <setjmp.h>
#include <stdlib.h>

static jmp_buf place;

static void f(void) {
    char *text = malloc(10);
    text[0] = 0;
    longjmp(place, 1);
}

int main(void) {
    if (setjmp(place) == 0)
        f();
    return 0;
}
