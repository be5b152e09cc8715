//! verdict: false(unreach-call)
//! decided-by: auto
//! arguments: --missing-bodies havoc
// What is given beside a function may be passed to it.
#include <assert.h>
struct counter { int count; };
extern void each(void (*visit)(void *), void *context);
static int seen;
static void visit(void *context) { if (context) seen = ((struct counter *)context)->count; }

int main(void) {
    struct counter counter = {7};
    each(visit, &counter);
    assert(seen != 7);
    return 0;
}
