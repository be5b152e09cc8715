//! property: locking
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    if (pthread_mutex_trylock(&m) == 0)
        pthread_mutex_unlock(&m);
    return 0;
}
