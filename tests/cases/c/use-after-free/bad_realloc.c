//! property: valid-deref
//! verdict: false(valid-deref)
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

int main(void) {
    int *p = malloc(4);
    *p = 1;
    int *q = realloc(p, 8);
    int x = *p;
    free(q);
    return x;
}
