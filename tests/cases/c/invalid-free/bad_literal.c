//! property: valid-free
//! verdict: false(valid-free)
//! decided-by: auto
//! model: lp64
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    char *p = __VERIFIER_nondet_int() ? "text" : malloc(3);
    free(p);
    return 0;
}
