//! verdict: false(unreach-call)
//! decided-by: auto
//! model: lp64
// longjmp cannot make setjmp return 0 (C11 7.13.2.1p4).
#include <assert.h>
#include <setjmp.h>

static jmp_buf place;

int main(void) {
    if (setjmp(place) == 0)
        longjmp(place, 0);
    else
        assert(0);
}
