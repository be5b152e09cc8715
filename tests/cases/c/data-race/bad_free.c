//! property: no-data-race
//! verdict: false(no-data-race)
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
    free(x);
    return 0;
}
