//! property: valid-memcleanup
//! verdict: false(valid-memcleanup)
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

static int *p;

int main(void) {
    p = malloc(4);
    return 0;
}
