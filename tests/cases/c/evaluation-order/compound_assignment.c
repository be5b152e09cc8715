//! verdict: true
//! decided-by: auto
//! assuming: compound_assignment.c:13:5 (one writes what another reads: `total`)
#include <assert.h>
static int total = 1;

static int reset(void) {
    total = 0;
    return 2;
}

int main(void) {
    total += reset();
    assert(total == 2 || total == 3);
    return 0;
}
