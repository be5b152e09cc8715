//! verdict: false(unreach-call)
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <setjmp.h>

static jmp_buf place;

static void add(int *to) {
    *to += 1;
    longjmp(place, 1);
}

int main(void) {
    int count = 0;
    if (setjmp(place) == 0)
        add(&count);
    assert(count == 1);
}
