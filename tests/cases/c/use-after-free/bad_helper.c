//! property: valid-deref
//! verdict: false(valid-deref)
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

static void drop(int *p) {
    free(p);
}

int main(void) {
    int *p = malloc(4);
    *p = 5;
    drop(p);
    return *p;
}
