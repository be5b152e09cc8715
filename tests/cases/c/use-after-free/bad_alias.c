//! property: valid-deref
//! verdict: false(valid-deref)
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

int main(void) {
    int *p = malloc(4), *q = p;
    free(p);
    *q = 1;
    return 0;
}
