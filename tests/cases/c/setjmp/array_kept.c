//! verdict: true
//! decided-by: auto
//! model: lp64
//! assuming: longjmp leaves what was written to `text` since setjmp
#include <assert.h>
#include <setjmp.h>

static jmp_buf place;

static void fill(char *text) {
    text[0] = 'x';
    longjmp(place, 1);
}

int main(void) {
    char text[2] = "a";
    if (setjmp(place) == 0)
        fill(text);
    assert(text[0] == 'x');
}
