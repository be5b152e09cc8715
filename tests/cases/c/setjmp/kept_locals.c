//! verdict: true
//! decided-by: auto
//! model: lp64
// Volatile variables keep what was written, and others what did not change.
#include <assert.h>
#include <setjmp.h>

static jmp_buf place;
int __VERIFIER_nondet_int(void);

int main(void) {
    volatile int count = 0;
    int other = __VERIFIER_nondet_int(), copy = other;
    if (setjmp(place) == 0) {
        count = 5;
        longjmp(place, 1);
    }
    assert(count == 5);
    assert(other == copy);
}
