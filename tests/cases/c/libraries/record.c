//! verdict: false(unreach-call)
//! decided-by: auto
//! arguments: --entry f
// A record may hold anything.
#include <assert.h>
struct block { int data[20]; };
void f(struct block b, int i) {
    if (i >= 0 && i < 20)
        assert(b.data[i] != 77);
}
