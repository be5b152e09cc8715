//! property: valid-deref
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

int main(void) {
    int *p = malloc(4);
    *p = 1;
    p = realloc(p, 8);
    p[1] = 2;
    int x = p[1];
    free(p);
    return x - 2;
}
