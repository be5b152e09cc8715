//! verdict: true
//! decided-by: auto
//! arguments: --entry f
// It is assumed that this is the first call, and that arguments point to no variable of the program.
#include <assert.h>
static int calls;
void f(int *p) {
    calls++;
    if (p)
        *p = 7;
    assert(calls == 1);
}
