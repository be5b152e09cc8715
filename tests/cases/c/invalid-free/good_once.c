//! property: valid-free
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

int main(void) {
    free(malloc(4));
    return 0;
}
