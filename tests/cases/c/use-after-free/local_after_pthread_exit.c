//! property: valid-memsafety
//! verdict: false(valid-deref)
//! decided-by: auto
//! model: lp64
#include <pthread.h>

static void *run(void *p) {
    int own = 0;
    *(int **)p = &own;
    pthread_exit(0);
}

int main(void) {
    pthread_t t;
    int *seen;
    pthread_create(&t, 0, run, &seen);
    pthread_join(t, 0);
    return *seen;
}
