//! run: 5 5 15 1 7
// The builtins with memory orders.
#include <stdio.h>

int main(void) {
    int x = 1, y;
    __atomic_store_n(&x, 5, __ATOMIC_SEQ_CST);
    y = __atomic_load_n(&x, __ATOMIC_ACQUIRE);
    int a = __atomic_fetch_add(&x, 10, __ATOMIC_RELAXED);
    int b = __atomic_exchange_n(&x, 100, __ATOMIC_ACQ_REL);
    int e = 100;
    int ok = __atomic_compare_exchange_n(&x, &e, 7, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    printf("%d %d %d %d %d\n", y, a, b, ok, x);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return 0;
}
