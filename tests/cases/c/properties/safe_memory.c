//! property: valid-memsafety
//! property: valid-memcleanup
//! verdict: true
#include <stdlib.h>

int main(void) {
    int *p = malloc(3 * sizeof *p);
    for (int i = 0; i < 3; i++)
        p[i] = i;
    int last = p[2];
    free(p);
    return last - 2;
}
