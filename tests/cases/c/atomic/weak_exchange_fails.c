//! property: unreach-call
//! verdict: false(unreach-call)
//! decided-by: auto
//! model: lp64
#include <assert.h>

int main(void) {
    int x = 0, e = 0;
    assert(__atomic_compare_exchange_n(&x, &e, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    e = 1;
    assert(__atomic_compare_exchange_n(&x, &e, 2, 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    return 0;
}
