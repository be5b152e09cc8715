//! property: uninitialised
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

int main(void) {
    int *p = calloc(1, sizeof *p);
    int x = *p;
    free(p);
    return x;
}
