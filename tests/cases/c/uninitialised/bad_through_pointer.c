//! property: uninitialised
//! verdict: false(uninitialised)
//! decided-by: auto
//! model: lp64
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static void set(int *p) {
    if (__VERIFIER_nondet_int())
        *p = 3;
}

int main(void) {
    int x;
    set(&x);
    return x;
}
