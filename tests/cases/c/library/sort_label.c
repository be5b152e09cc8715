//! property: unreach-label:ERROR
//! verdict: false(unreach-label:ERROR)
//! decided-by: auto
//! model: lp64
// Which elements are compared is left open: the first and the last may be.
#include <stdlib.h>

static int ascending(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    if (y - x > 1)
        goto ERROR;
    return (x > y) - (x < y);
ERROR:
    return -1;
}

int main(void) {
    int numbers[3] = {1, 2, 3};
    qsort(numbers, 3, sizeof(int), ascending);
}
