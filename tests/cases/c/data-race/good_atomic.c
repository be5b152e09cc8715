//! property: no-data-race
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <pthread.h>

static int x;

static void *run(void *p) {
    __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
    return p;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    __atomic_store_n(&x, 2, __ATOMIC_SEQ_CST);
    pthread_join(t, 0);
    return 0;
}
