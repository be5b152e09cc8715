//! property: uninitialised
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

static void set(int *p) {
    *p = 3;
}

int main(void) {
    int x;
    set(&x);
    return x - 3;
}
