//! property: null-deref
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

int main(void) {
    int x = 1;
    int *p = &x;
    return *p - 1;
}
