//! property: locking
//! verdict: false(locking)
//! decided-by: auto
//! model: lp64
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void enter(void) {
    pthread_mutex_lock(&m);
}

int main(void) {
    enter();
    enter();
    return 0;
}
