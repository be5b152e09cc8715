//! property: valid-memtrack
//! verdict: unknown(unsupported: whether memory that is not freed at the end is still pointed to)
// Something still points to the memory when the program ends: it is not lost.
#include <stdlib.h>

static char *kept;

int main(void) {
    kept = malloc(4);
    return 0;
}
