//! verdict: false(unreach-call)
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <stdlib.h>

int main(void) {
    assert(getenv("HOME") != 0);
}
