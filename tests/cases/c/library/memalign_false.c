//! verdict: false(unreach-call)
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <stdlib.h>

int main(void) {
    void *p = 0;
    assert(posix_memalign(&p, 24, 8) == 0);
}
