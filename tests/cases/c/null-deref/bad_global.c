//! property: null-deref
//! verdict: false(null-deref)
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

static int *p;

int main(void) {
    return *p;
}
