//! property: valid-memcleanup
//! verdict: unknown(unsupported: memory that is not freed when the program aborts)
// The memory is never freed and the program ends by abort: no proof of its absence may be given.
#include <stdlib.h>

int main(void) {
    char *p = malloc(4);
    p[0] = 1;
    abort();
}
