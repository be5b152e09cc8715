//! property: valid-deref
//! verdict: false(valid-deref)
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

static int *counter(void) {
    int n = 3;
    int *p = &n;
    return p;
}

int main(void) {
    int *p = counter();
    return *p;
}
