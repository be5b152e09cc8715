//! property: valid-deref
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

int main(void) {
    for (int i = 0; i < 3; i++) {
        char *p = malloc(1);
        *p = i;
        free(p);
    }
    return 0;
}
