//! verdict: true
//! decided-by: auto
//! assuming: both_calls_write.c:12:13 (one writes what another reads: `calls`)
#include <assert.h>
static int calls;

static int first(void) { return ++calls; }
static int second(void) { return calls *= 3; }
static int less(int a, int b) { return a - b; }

int main(void) {
    int x = less(first(), second());
    assert(calls > 0 && x == x);
    return 0;
}
