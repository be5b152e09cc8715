//! verdict: true
//! decided-by: auto
//! assuming: what C leaves undefined happens in one order all the same: tests/cases/c/evaluation-order/undefined.c:11:5 (both write `i`)
//! assuming: undefined.c:12:13 (one writes what another reads: `i`)
#include <assert.h>

static int sum(int a, int b) { return a + b; }

int main(void) {
    int i = 0;
    i = i++ + 1;
    int x = sum(i++, i);
    assert(x >= 0);
    return 0;
}
