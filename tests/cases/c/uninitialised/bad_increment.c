//! property: uninitialised
//! verdict: false(uninitialised)
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

int main(void) {
    int x;
    x++;
    return 0;
}
