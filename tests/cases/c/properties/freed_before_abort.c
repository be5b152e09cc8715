//! property: valid-memcleanup
//! verdict: true
//! decided-by: predicate
// The program ends by abort, but there is nothing left to free.
#include <stdlib.h>

int main(void) {
    char *p = malloc(4);
    free(p);
    abort();
}
