//! property: valid-deref
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

static int *counter(void) {
    static int n;
    return &n;
}

int main(void) {
    int *p = counter();
    *p = 4;
    return *counter() - 4;
}
