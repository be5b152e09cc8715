//! property: valid-free
//! verdict: false(valid-free)
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

int main(void) {
    int *p = malloc(4);
    for (int i = 0; i < 3; i++)
        free(p);
    return 0;
}
