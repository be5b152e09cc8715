//! verdict: true
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

int main(void) {
    volatile size_t half = (size_t)1 << 33;
    assert(calloc(half, half) == 0 && errno == ENOMEM);
    int *p = calloc(2, sizeof(int));
    assert(p != 0 && p[1] == 0);
    assert(reallocarray(p, half, half) == 0);
    p[1] = 2;
}
