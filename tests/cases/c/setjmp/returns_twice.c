//! verdict: true
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <setjmp.h>

static jmp_buf place;

int main(void) {
    volatile int count = 0;
    int value = setjmp(place);
    assert(value == count);
    count = count + 1;
    if (count < 3)
        longjmp(place, count);
    assert(value == 2);
}
