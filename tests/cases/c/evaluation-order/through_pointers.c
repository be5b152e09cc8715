//! verdict: true
//! decided-by: auto
//! assuming: through_pointers.c:12:13 (one writes what another reads: `v`)
#include <assert.h>
struct pair { int first, second; };

static int grow(struct pair *p) { return ++p->first; }
static int other(const struct pair *p) { return p->first; }

int main(void) {
    struct pair v = {1, 2};
    int x = grow(&v) - other(&v);
    assert(x == 0 || x == 1);
    return 0;
}
