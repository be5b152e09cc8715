//! property: unreach-call
//! property: valid-deref
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <stdlib.h>

static int numbers[3] = {7, 2, 5};

static int ascending(const void *a, const void *b) {
    const int *x = a, *y = b;
    assert(x >= numbers && x < numbers + 3 && y >= numbers && y < numbers + 3);
    return (*x > *y) - (*x < *y);
}

int main(void) {
    qsort(numbers, 3, sizeof(int), ascending);
    assert(numbers[0] == 2 && numbers[1] == 5 && numbers[2] == 7);
}
