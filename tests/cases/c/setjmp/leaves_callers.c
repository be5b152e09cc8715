//! verdict: true
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <setjmp.h>

static jmp_buf place;
static int steps;

static void inner(int n) {
    steps++;
    if (n == 0)
        longjmp(place, 7);
    inner(n - 1);
    steps = 100;
}

static int outer(void) {
    inner(2);
    assert(0);
    return 1;
}

int main(void) {
    switch (setjmp(place)) {
    case 0:
        outer();
        assert(0);
    case 7:
        assert(steps == 3);
        break;
    default:
        assert(0);
    }
}
