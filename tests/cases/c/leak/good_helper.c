//! property: valid-memcleanup
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

static int *make(void) {
    return malloc(4);
}

static void drop(int *p) {
    free(p);
}

int main(void) {
    drop(make());
    return 0;
}
