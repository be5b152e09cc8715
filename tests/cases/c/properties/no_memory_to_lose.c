//! property: valid-memtrack
//! verdict: true
//! decided-by: predicate
// A loop, but nothing that could be lost.
#include <stdlib.h>

static int *last;

int main(void) {
    int numbers[4], i;
    for (i = 0; i < 4; i++)
        last = &numbers[i];
    return 0;
}
