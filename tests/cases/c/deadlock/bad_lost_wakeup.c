//! property: no-deadlock
//! verdict: false(no-deadlock)
//! decided-by: auto
//! model: lp64
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *run(void *p) {
    // Nobody may be waiting yet.
    pthread_cond_signal(&c);
    return p;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
