//! property: valid-memcleanup
//! verdict: false(valid-memcleanup)
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

int main(void) {
    int *p = malloc(4);
    return p == 0;
}
