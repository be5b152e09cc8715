//! verdict: false(unreach-call)
//! decided-by: auto
//! model: lp64
// Which elements a search looks at is left open.
#include <assert.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    assert(y != 3);
    return (x > y) - (x < y);
}

int main(void) {
    int numbers[3] = {1, 2, 3}, one = 1;
    bsearch(&one, numbers, 3, sizeof(int), ascending);
}
