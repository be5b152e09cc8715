//! verdict: true
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
    pthread_attr_t attributes;
    pthread_barrier_t barrier;
    if (pthread_attr_init(&attributes) != 0)
        return 1;
    assert(pthread_attr_setstacksize(&attributes, 1) == EINVAL);
    assert(pthread_attr_setdetachstate(&attributes, 7) == EINVAL);
    assert(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED) == 0);
    assert(pthread_attr_destroy(&attributes) == 0);
    assert(pthread_barrier_init(&barrier, 0, 0) == EINVAL);
}
