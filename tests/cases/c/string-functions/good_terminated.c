//! property: strings
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <string.h>
#include <stdlib.h>

int main(void) {
    char a[2];
    a[0] = 120;
    a[1] = 0;
    return strlen(a) - 1;
}
