//! property: no-data-race
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <pthread.h>
#include <stdlib.h>

static void *run(void *p) {
    int read = *(int *)p;
    return read ? p : 0;
}

int main(void) {
    pthread_t t;
    int *x = calloc(1, sizeof *x);
    pthread_create(&t, 0, run, x);
    pthread_join(t, 0);
    free(x);
    return 0;
}
