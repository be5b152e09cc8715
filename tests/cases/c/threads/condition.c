//! run: 77
// One thread waits until another has something for it.
#include <stdio.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int box, full;

static void *producer(void *unused) {
    pthread_mutex_lock(&m);
    box = 77;
    full = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, producer, 0);
    pthread_mutex_lock(&m);
    while (!full)
        pthread_cond_wait(&c, &m);
    printf("%d\n", box);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
