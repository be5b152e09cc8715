//! verdict: false(valid-deref)
//! decided-by: auto
//! model: lp64
//! property: valid-deref
// All of the array must be there, even if nothing is out of order.
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

int main(void) {
    int numbers[3] = {1, 2, 3};
    qsort(numbers, 4, sizeof numbers[0], compare);
}
