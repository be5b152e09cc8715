//! property: no-data-race
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <pthread.h>

static int x = 3;

static void *run(void *p) {
    int copy = x;
    return copy == 3 ? p : 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    int copy = x;
    pthread_join(t, 0);
    return copy - 3;
}
