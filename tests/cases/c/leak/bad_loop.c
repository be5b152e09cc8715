//! property: valid-memcleanup
//! verdict: false(valid-memcleanup)
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

int main(void) {
    int *p = 0;
    for (int i = 0; i < 3; i++)
        p = malloc(4);
    free(p);
    return 0;
}
