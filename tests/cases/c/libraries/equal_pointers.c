//! verdict: false(unreach-call)
//! decided-by: auto
//! arguments: --entry f
// Two pointers may be the same.
#include <assert.h>
void f(int *p, int *q) {
    if (!p || !q)
        return;
    *p = 1;
    *q = 2;
    assert(*p == 1);
}
