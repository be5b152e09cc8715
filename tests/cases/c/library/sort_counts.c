//! verdict: unknown(unsupported: a comparison function with effects)
//! model: lp64
// How often the function is called is left open.
#include <assert.h>
#include <stdlib.h>

static int calls;

static int compare(const void *a, const void *b) {
    calls++;
    return *(const int *)a - *(const int *)b;
}

int main(void) {
    int numbers[3] = {3, 2, 1};
    qsort(numbers, 3, sizeof(int), compare);
    assert(calls == 3);
}
