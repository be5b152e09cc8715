//! verdict: true
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

int main(void) {
    sem_t semaphore;
    sem_init(&semaphore, 0, 0x7fffffff);
    assert(sem_post(&semaphore) == -1 && errno == EOVERFLOW);
    int value;
    assert(pthread_setspecific(1000000, &value) == EINVAL);
    assert(pthread_getspecific(1000000) == 0);
}
