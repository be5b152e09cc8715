//! property: null-deref
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static int zero(void) {
    return 0;
}

int main(void) {
    int (*f)(void) = __VERIFIER_nondet_int() ? zero : 0;
    if (f)
        return f();
    return 0;
}
