//! verdict: true
//! decided-by: auto
//! assuming: other_threads_see.c:30:21 (both synchronise with other threads)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready, value;

static int publish(void) {
    value = 7;
    return 1;
}

static int announce(void) {
    ready = 1;
    return 2;
}

static void *reader(void *unused) {
    if (ready)
        assert(value == 7);
    return unused;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, reader, NULL))
        return 1;
    int announced = publish() + announce();
    pthread_join(thread, NULL);
    return announced == 3 ? 0 : 1;
}
