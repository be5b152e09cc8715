//! property: locking
//! verdict: true
//! decided-by: auto
//! model: lp64
// This kind of mutex may be locked twice by one thread.
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

int main(void) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}
