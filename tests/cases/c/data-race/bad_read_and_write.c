//! property: no-data-race
//! verdict: false(no-data-race)
//! decided-by: auto
//! model: lp64
#include <pthread.h>

static int x;

static void *run(void *p) {
    x = 1;
    return p;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    int y = x;
    pthread_join(t, 0);
    return y;
}
