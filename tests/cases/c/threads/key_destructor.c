//! verdict: true
//! decided-by: auto
//! model: lp64
// At the end of a thread its values are given to the destructors of their keys.
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int destroyed;

static void destroy(void *value) {
    assert(value == &key);
    assert(pthread_getspecific(key) == 0);
    destroyed++;
}

static void *run(void *argument) {
    pthread_setspecific(key, &key);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, destroy);
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
    assert(destroyed == 1);
}
