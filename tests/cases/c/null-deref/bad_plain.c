//! property: null-deref
//! verdict: false(null-deref)
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

int main(void) {
    int *p = 0;
    return *p;
}
