//! property: valid-memcleanup
//! verdict: false(valid-memcleanup)
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

static int *make(void) {
    return malloc(4);
}

int main(void) {
    make();
    return 0;
}
