//! verdict: true
//! decided-by: auto
//! assuming: one_may_end.c:19:12 (one may end the execution, another violate an assertion)
#include <assert.h>
#include <stdlib.h>

static int leave(int x) {
    if (x)
        exit(0);
    return 1;
}

static int check(int x) {
    assert(!x);
    return 1;
}

int main(void) {
    return leave(1) + check(1);
}
