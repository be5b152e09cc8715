//! verdict: true
//! decided-by: auto
//! model: lp64
// What is given to atexit is not called.
#include <assert.h>
#include <stdlib.h>

void never(void) {
    assert(0);
}

int main(void) {
    atexit(never);
    quick_exit(0);
}
