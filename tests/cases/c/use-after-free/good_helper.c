//! property: valid-deref
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

static int take(int *p) {
    int x = *p;
    free(p);
    return x;
}

int main(void) {
    int *p = malloc(4);
    *p = 5;
    int x = take(p);
    return x - 5;
}
