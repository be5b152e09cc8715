//! property: no-data-race
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static int x, e = 1, f;

static void *run(void *p) {
    __atomic_compare_exchange_n(&x, &e, 2, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    __atomic_compare_exchange_n(&x, &f, 2, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return 0;
}
