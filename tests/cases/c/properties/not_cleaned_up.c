//! property: valid-memcleanup
//! verdict: false(valid-memcleanup)
//! decided-by: auto
#include <stdlib.h>

static char *kept;

int main(void) {
    kept = malloc(10);
    return 0;
}
