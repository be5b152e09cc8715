//! property: valid-memtrack
//! verdict: false(valid-memtrack)
//! decided-by: predicate
// The only pointer to the memory is overwritten; it had static storage.
#include <stdlib.h>

static char *kept;

int main(void) {
    kept = malloc(4);
    kept = 0;
    return 0;
}
