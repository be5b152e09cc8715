//! property: null-deref
//! verdict: false(null-deref)
//! decided-by: auto
//! model: lp64
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = 0;
    int *p = __VERIFIER_nondet_int() ? &x : 0;
    return p == 0 && *p == 1;
}
