//! property: valid-memcleanup
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

int main(void) {
    int *p = malloc(4);
    free(p);
    return 0;
}
