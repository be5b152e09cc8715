//! verdict: true
//! decided-by: auto
//! arguments: --entry f --pointers separate
// It is assumed that pointers point to different objects.
#include <assert.h>
void f(int *p, int *q) {
    if (!p || !q)
        return;
    *p = 1;
    *q = 2;
    assert(*p == 1);
}
