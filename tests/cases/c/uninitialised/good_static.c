//! property: uninitialised
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

int main(void) {
    static int x;
    return x;
}
