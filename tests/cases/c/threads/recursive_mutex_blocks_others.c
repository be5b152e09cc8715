//! property: unreach-call
//! verdict: false(unreach-call)
//! decided-by: auto
//! model: lp64
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t r = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void *run(void *p) {
    assert(pthread_mutex_trylock(&r) == 0);
    return p;
}

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&r);
    pthread_mutex_lock(&r);
    pthread_mutex_unlock(&r);
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    return 0;
}
