//! property: strings
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <string.h>
#include <stdlib.h>

int main(void) {
    char a[1];
    strncpy(a, "longer", 1);
    a[0] = 0;
    return strlen(a);
}
