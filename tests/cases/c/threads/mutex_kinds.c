//! property: unreach-call
//! verdict: true
//! decided-by: auto
//! model: lp64
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t r = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutexattr_t a;
    pthread_mutex_t e;
    struct timespec soon = { 0, 0 };
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&e, &a);
    assert(pthread_mutex_unlock(&e) == EPERM);
    assert(pthread_mutex_lock(&e) == 0);
    assert(pthread_mutex_lock(&e) == EDEADLK);
    assert(pthread_mutex_destroy(&e) == EBUSY);
    assert(pthread_mutex_unlock(&e) == 0);
    assert(pthread_mutex_lock(&r) == 0);
    assert(pthread_mutex_lock(&r) == 0);
    assert(pthread_mutex_trylock(&r) == 0);
    assert(pthread_mutex_unlock(&r) == 0);
    assert(pthread_mutex_unlock(&r) == 0);
    assert(pthread_mutex_unlock(&r) == 0);
    assert(pthread_mutex_unlock(&r) == EPERM);
    assert(pthread_mutex_timedlock(&plain, &soon) == 0);
    assert(pthread_mutex_trylock(&plain) == EBUSY);
    return 0;
}
