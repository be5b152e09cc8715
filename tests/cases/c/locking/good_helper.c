//! property: locking
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void enter(void) {
    pthread_mutex_lock(&m);
}

static void leave(void) {
    pthread_mutex_unlock(&m);
}

int main(void) {
    enter();
    leave();
    return 0;
}
