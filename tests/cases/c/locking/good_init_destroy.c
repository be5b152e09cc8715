//! property: locking
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <pthread.h>

int main(void) {
    pthread_mutex_t own;
    pthread_mutex_init(&own, 0);
    pthread_mutex_lock(&own);
    pthread_mutex_unlock(&own);
    pthread_mutex_destroy(&own);
    return 0;
}
