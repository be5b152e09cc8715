//! property: valid-deref
//! verdict: false(valid-deref)
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

int main(void) {
    int *p;
    {
        int y = 1;
        p = &y;
    }
    return *p;
}
