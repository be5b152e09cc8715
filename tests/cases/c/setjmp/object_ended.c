//! verdict: false(valid-deref)
//! decided-by: auto
//! model: lp64
//! property: valid-deref
// The variables of functions that are left end.
#include <setjmp.h>

static jmp_buf place;
static int *kept;

static void f(void) {
    int own = 1;
    kept = &own;
    longjmp(place, 1);
}

int main(void) {
    if (setjmp(place) == 0)
        f();
    return *kept;
}
