//! verdict: false(unreach-call)
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <stdlib.h>

static void end(void) {
}

int main(void) {
    assert(atexit(end) == 0);
}
