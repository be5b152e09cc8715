//! property: strings
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <string.h>
#include <stdlib.h>

int main(void) {
    char a[1] = {65};
    return strnlen(a, 1) - 1;
}
