//! property: valid-memcleanup
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

int main(void) {
    int x = 3;
    return x - 3;
}
