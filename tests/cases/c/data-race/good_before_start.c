//! property: no-data-race
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <pthread.h>

static int x;

static void *run(void *p) {
    x++;
    return p;
}

int main(void) {
    pthread_t t;
    x = 1;
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    return 0;
}
