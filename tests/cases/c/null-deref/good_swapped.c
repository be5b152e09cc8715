//! property: null-deref
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

int main(void) {
    int x = 1, y = 2;
    int *p = 0, *q = &x;
    p = q;
    q = &y;
    return *p + *q - 3;
}
