//! property: no-data-race
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <pthread.h>

static int x, y;

static void *run(void *p) {
    x = 1;
    return p;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    y = 2;
    pthread_join(t, 0);
    return x + y - 3;
}
