//! property: valid-free
//! verdict: false(valid-free)
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

int main(void) {
    int *p = malloc(4), *q = malloc(4);
    q = p;
    free(q);
    free(p);
    return 0;
}
