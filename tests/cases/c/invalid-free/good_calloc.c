//! property: valid-free
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

int main(void) {
    int *p = calloc(2, sizeof *p);
    free(p);
    return 0;
}
