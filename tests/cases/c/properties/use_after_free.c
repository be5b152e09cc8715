//! property: valid-memsafety
//! verdict: false(valid-deref)
//! decided-by: auto
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1;
    free(p);
    return *p;
}
