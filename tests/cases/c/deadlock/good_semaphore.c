//! property: no-deadlock
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *run(void *p) {
    sem_post(&s);
    return p;
}

int main(void) {
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, run, 0);
    sem_wait(&s);
    return 0;
}
