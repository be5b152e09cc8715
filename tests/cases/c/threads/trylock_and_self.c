//! run: 1 0 1
// trylock, and threads that know themselves.
#include <stdio.h>
#include <pthread.h>

static pthread_mutex_t m;
static pthread_t first;

static void *run(void *p) {
    *(int *)p = pthread_equal(pthread_self(), first) * 10 + (pthread_mutex_trylock(&m) != 0);
    return 0;
}

int main(void) {
    int seen = -1;
    pthread_t t;
    first = pthread_self();
    pthread_mutex_init(&m, 0);
    pthread_mutex_lock(&m);
    pthread_create(&t, 0, run, &seen);
    pthread_join(t, 0);
    pthread_mutex_unlock(&m);
    printf("%d %d %d\n", seen, pthread_mutex_trylock(&m), pthread_equal(first, pthread_self()) != 0);
    pthread_mutex_unlock(&m);
    pthread_mutex_destroy(&m);
    return 0;
}
