//! property: valid-free
//! verdict: false(valid-free)
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

int main(void) {
    char *p = malloc(4);
    p++;
    free(p);
    return 0;
}
