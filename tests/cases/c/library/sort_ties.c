//! verdict: false(unreach-call)
//! decided-by: auto
//! model: lp64
// The order of elements that are equal is left open.
#include <assert.h>
#include <stdlib.h>

static int tens(const void *a, const void *b) {
    return *(const int *)a / 10 - *(const int *)b / 10;
}

int main(void) {
    int numbers[2] = {12, 11};
    qsort(numbers, 2, sizeof(int), tens);
    assert(numbers[0] == 12);
}
