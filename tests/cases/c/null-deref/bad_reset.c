//! property: null-deref
//! verdict: false(null-deref)
//! decided-by: auto
//! model: lp64
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = 1;
    int *p = &x;
    if (__VERIFIER_nondet_int() == 7)
        p = 0;
    return *p - 1;
}
