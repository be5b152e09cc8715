//! property: valid-free
//! verdict: false(valid-free)
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

static int a[2];

int main(void) {
    free(a);
    return 0;
}
