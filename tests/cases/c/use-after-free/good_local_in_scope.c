//! property: valid-deref
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

int main(void) {
    int x = 0;
    int *p = &x;
    {
        int y = 1;
        p = &y;
        *p = 2;
    }
    p = &x;
    return *p;
}
