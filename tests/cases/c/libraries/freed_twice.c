//! verdict: false(valid-free)
//! property: valid-free
//! decided-by: auto
//! arguments: --entry f
#include <stdlib.h>
void f(int *p, int *q) {
    free(p);
    free(q);
}
