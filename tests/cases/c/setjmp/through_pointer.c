//! verdict: true
//! decided-by: auto
//! model: lp64
// A comparison function, and one that is called by a pointer, may jump.
#include <assert.h>
#include <setjmp.h>

static jmp_buf place;

static void fail(int code) {
    longjmp(place, code);
}

static void (*handler)(int) = fail;

int main(void) {
    int code = setjmp(place);
    if (code == 0) {
        handler(4);
        assert(0);
    }
    assert(code == 4);
}
