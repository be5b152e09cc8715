//! verdict: false(valid-deref)
//! decided-by: auto
//! model: lp64
//! property: valid-deref
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    return 0;
}

int main(void) {
    int key = 1;
    return bsearch(&key, 0, 2, sizeof key, compare) != 0;
}
