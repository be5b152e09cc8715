//! property: unreach-call
//! verdict: false(unreach-call)
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <pthread.h>

static void *run(void *p) {
    return p;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    int result = pthread_create(&t, 0, run, 0);
    assert(result == 0);
    return 0;
}
