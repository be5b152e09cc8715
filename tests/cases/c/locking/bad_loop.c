//! property: locking
//! verdict: false(locking)
//! decided-by: auto
//! model: lp64
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    for (int i = 0; i < 3; i++)
        pthread_mutex_lock(&m);
    return 0;
}
