//! property: valid-free
//! verdict: false(valid-free)
//! decided-by: auto
//! model: lp64
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int freed = 0;
    int *p = malloc(4);
    if (__VERIFIER_nondet_int()) {
        free(p);
        freed = 1;
    }
    if (freed)
        free(p);
    return 0;
}
