//! property: unreach-call
//! verdict: true
//! decided-by: auto
//! model: lp64
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
    sem_t s;
    struct timespec soon = { 0, 0 };
    assert(pthread_join(pthread_self(), 0) == EDEADLK);
    assert(pthread_rwlock_wrlock(&l) == 0);
    assert(pthread_rwlock_rdlock(&l) == EDEADLK);
    assert(pthread_rwlock_wrlock(&l) == EDEADLK);
    assert(pthread_rwlock_unlock(&l) == 0);
    assert(pthread_rwlock_rdlock(&l) == 0);
    sem_init(&s, 0, 1);
    assert(sem_timedwait(&s, &soon) == 0);
    assert(sem_trywait(&s) == -1 && errno == EAGAIN);
    return 0;
}
