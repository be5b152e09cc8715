//! property: valid-deref
//! verdict: false(valid-deref)
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

int main(void) {
    char *p = malloc(1);
    for (int i = 0; i < 3; i++) {
        *p = i;
        free(p);
    }
    return 0;
}
