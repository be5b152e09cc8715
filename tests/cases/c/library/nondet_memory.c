//! verdict: false(unreach-call)
//! decided-by: auto
//! model: lp64
#include <assert.h>

void __VERIFIER_nondet_memory(void *, unsigned long);

int main(void) {
    int x = 1;
    __VERIFIER_nondet_memory(&x, sizeof x);
    assert(x == 1);
}
