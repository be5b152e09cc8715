//! property: strings
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <string.h>
#include <stdlib.h>

int main(void) {
    int a[2] = {1, 2}, b[2];
    memcpy(b, a, sizeof b);
    return b[1] - 2;
}
