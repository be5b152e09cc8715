//! property: no-overflow
//! verdict: false(no-overflow)
//! decided-by: auto
//! model: lp64
// Which elements are compared is left open: the first and the last may be.
#include <limits.h>
#include <stdlib.h>

static int difference(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

int main(void) {
    int numbers[3] = {-2, 0, INT_MAX};
    qsort(numbers, 3, sizeof(int), difference);
    return numbers[0] == -2;
}
