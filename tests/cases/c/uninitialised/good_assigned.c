//! property: uninitialised
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

int main(void) {
    int x;
    x = 2;
    return x - 2;
}
