//! property: strings
//! verdict: false(strings)
//! decided-by: auto
//! model: lp64
#include <string.h>
#include <stdlib.h>

int main(void) {
    char a[3] = {65, 66, 67};
    return strnlen(a, 4) - 3;
}
