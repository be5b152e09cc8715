//! property: valid-deref
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

struct s { int a, b; };

int main(void) {
    struct s *p = malloc(sizeof *p);
    p->b = 2;
    int x = p->b;
    free(p);
    return x - 2;
}
