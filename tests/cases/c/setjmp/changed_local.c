//! verdict: false(unreach-call)
//! decided-by: auto
//! model: lp64
// What changed since setjmp and is not volatile is indeterminate (C11 7.13.2.1p3).
#include <assert.h>
#include <setjmp.h>

static jmp_buf place;

int main(void) {
    int count = 0;
    if (setjmp(place) == 0) {
        count = 1;
        longjmp(place, 1);
    }
    assert(count == 1);
}
