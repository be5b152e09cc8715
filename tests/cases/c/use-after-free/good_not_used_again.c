//! property: valid-deref
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

int main(void) {
    int *p = malloc(4), *q = p;
    free(p);
    p = malloc(4);
    *p = 0;
    free(p);
    return q == 0;
}
