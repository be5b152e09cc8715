//! property: valid-deref
//! verdict: false(valid-deref)
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

size_t __VERIFIER_nondet_ulong(void);

int main(void) {
    char *p = calloc(__VERIFIER_nondet_ulong(), 16);
    if (p != 0)
        return 0;
    return *p;
}
