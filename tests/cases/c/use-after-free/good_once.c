//! property: valid-deref
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1;
    int x = *p;
    free(p);
    return x - 1;
}
