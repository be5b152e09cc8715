//! property: no-data-race
//! verdict: false(no-data-race)
//! decided-by: auto
//! model: lp64
#include <pthread.h>

static int done;

static void *run(void *p) {
    done = 1;
    return p;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    while (!done) {
    }
    pthread_join(t, 0);
    return 0;
}
