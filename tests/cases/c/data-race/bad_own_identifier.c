//! property: no-data-race
//! verdict: false(no-data-race)
//! decided-by: auto
//! model: lp64
#include <pthread.h>

static pthread_t t;

static void *run(void *p) {
    // The identifier may be stored after the thread has started.
    return pthread_equal(t, pthread_self()) ? p : 0;
}

int main(void) {
    pthread_create(&t, 0, run, 0);
    return 0;
}
