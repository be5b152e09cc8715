//! property: no-data-race
//! verdict: false(no-data-race)
//! decided-by: auto
//! model: lp64
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t s;
static int v;

static void *run(void *p) {
    sem_getvalue(&s, &v);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    v = 1;
    return 0;
}
