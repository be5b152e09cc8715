//! property: valid-free
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

int main(void) {
    int *p = 0;
    free(p);
    return 0;
}
