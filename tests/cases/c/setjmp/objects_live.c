//! verdict: true
//! decided-by: auto
//! model: lp64
//! property: valid-deref
//! property: valid-free
#include <setjmp.h>
#include <stdlib.h>

static jmp_buf place;

static void f(char *text) {
    text[1] = 1;
    longjmp(place, 1);
}

int main(void) {
    char *text = malloc(2);
    int result;
    if (setjmp(place) == 0)
        f(text);
    text[0] = 0;
    result = text[0];
    free(text);
    return result;
}
