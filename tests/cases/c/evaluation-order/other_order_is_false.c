//! verdict: false(unreach-call)
//! decided-by: auto
//! assuming: nothing
// An execution in gcc's order is one that C allows.
#include <assert.h>
static int g;

static int f(void) { return ++g; }

int main(void) {
    int x = g + f();
    assert(x == 0);
    return 0;
}
