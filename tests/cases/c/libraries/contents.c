//! verdict: false(unreach-call)
//! decided-by: auto
//! arguments: --entry f
#include <assert.h>
struct pair { int a, b; };
void f(const struct pair *p) {
    if (p)
        assert(p->a != 3 || p->b != 4);
}
