//! property: valid-free
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

struct s { int *p; };

int main(void) {
    struct s s = {malloc(4)};
    free(s.p);
    return 0;
}
