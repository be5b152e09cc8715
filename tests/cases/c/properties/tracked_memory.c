//! property: valid-memtrack
//! verdict: true
//! decided-by: predicate
// Whatever is allocated is freed again, also where the program ends early.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    char *p = malloc(4);
    if (__VERIFIER_nondet_int()) {
        free(p);
        exit(1);
    }
    free(p);
    return 0;
}
