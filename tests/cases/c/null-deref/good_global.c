//! property: null-deref
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

static int x;
static int *p;

static void set(void) {
    p = &x;
}

int main(void) {
    set();
    return *p;
}
