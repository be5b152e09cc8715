//! property: valid-deref
//! verdict: false(valid-deref)
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

struct s { int a, b; };

int main(void) {
    struct s *p = malloc(sizeof *p);
    p->b = 2;
    free(p);
    return p->b;
}
