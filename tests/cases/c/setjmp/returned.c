//! verdict: unknown(a longjmp to a function that has returned)
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <setjmp.h>

static jmp_buf place;

static int set(void) {
    return setjmp(place);
}

int main(void) {
    if (set() == 0)
        longjmp(place, 1);
    assert(0);
}
