//! property: strings
//! verdict: false(strings)
//! decided-by: auto
//! model: lp64
#include <string.h>
#include <stdlib.h>

int main(void) {
    char a[3];
    strncpy(a, "longer", 3);
    return strlen(a) - 2;
}
