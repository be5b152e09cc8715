//! property: valid-memcleanup
//! verdict: false(valid-memcleanup)
//! decided-by: auto
//! model: lp64
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int *p = malloc(4);
    if (__VERIFIER_nondet_int())
        free(p);
    return 0;
}
