//! property: uninitialised
//! verdict: false(uninitialised)
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

int main(void) {
    int x;
    if (x > 0)
        return 1;
    return 0;
}
