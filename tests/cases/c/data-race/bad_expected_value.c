//! property: no-data-race
//! verdict: false(no-data-race)
//! decided-by: auto
//! model: lp64
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static int x, e = 1;

static void *run(void *p) {
    __atomic_compare_exchange_n(&x, &e, 2, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    e = 2;
    return 0;
}
