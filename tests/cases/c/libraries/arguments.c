//! verdict: false(unreach-call)
//! decided-by: auto
//! arguments: --entry f
// Arguments are arbitrary: a pointer may be null.
#include <assert.h>
int f(int *p, int n) {
    assert(p || n);
    return 0;
}
