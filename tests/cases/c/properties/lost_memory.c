//! property: valid-memsafety
//! verdict: false(valid-memtrack)
//! decided-by: auto
#include <stdlib.h>

int main(void) {
    char *p = malloc(10);
    p = 0;
    return p != 0;
}
