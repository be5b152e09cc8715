//! verdict: unknown(unsupported: a memory order weaker than memory_order_seq_cst (--memory-model sc takes it for that), tests/cases/c/atomic/relaxed_order.c:9)
// Whether the assertion can fail is a matter of the order.
#include <assert.h>
#include <pthread.h>

static int x;

static void *run(void *p) {
    __atomic_store_n(&x, 1, __ATOMIC_RELAXED);
    return p;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    int seen = __atomic_load_n(&x, __ATOMIC_SEQ_CST);
    assert(seen == 0 || seen == 1);
    return 0;
}
