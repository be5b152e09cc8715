//! property: uninitialised
//! verdict: false(uninitialised)
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

int main(void) {
    int a[3];
    return a[1];
}
