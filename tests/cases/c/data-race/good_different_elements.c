//! property: no-data-race
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <pthread.h>

static int a[2];

static void *run(void *p) {
    a[0] = 1;
    return p;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    a[1] = 2;
    pthread_join(t, 0);
    return 0;
}
