//! property: valid-memcleanup
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

static int *p;

int main(void) {
    p = malloc(4);
    free(p);
    return 0;
}
