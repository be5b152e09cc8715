//! property: valid-free
//! verdict: false(valid-free)
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

int main(void) {
    int x = 0;
    int *p = &x;
    free(p);
    return 0;
}
