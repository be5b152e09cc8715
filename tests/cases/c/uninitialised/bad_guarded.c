//! property: uninitialised
//! verdict: false(uninitialised)
//! decided-by: auto
//! model: lp64
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x, known = 0;
    if (__VERIFIER_nondet_int()) {
        x = 1;
        known = 1;
    }
    if (!known)
        return x;
    return 0;
}
