//! property: no-data-race
//! verdict: false(no-data-race)
//! decided-by: auto
//! model: lp64
#include <pthread.h>

static void *run(void *p) {
    *(int *)p = 1;
    return p;
}

int main(void) {
    pthread_t t;
    int x = 0;
    pthread_create(&t, 0, run, &x);
    x = 2;
    pthread_join(t, 0);
    return 0;
}
