//! run: 1 4 9 16 25 36
// A bounded buffer between two threads.
#include <stdio.h>
#include <pthread.h>

#define SIZE 2
static int buffer[SIZE], count, in, out;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;

static void *produce(void *unused) {
    for (int i = 1; i <= 6; i++) {
        pthread_mutex_lock(&m);
        while (count == SIZE)
            pthread_cond_wait(&not_full, &m);
        buffer[in] = i * i;
        in = (in + 1) % SIZE;
        count++;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, produce, 0);
    for (int i = 0; i < 6; i++) {
        pthread_mutex_lock(&m);
        while (count == 0)
            pthread_cond_wait(&not_empty, &m);
        printf("%d ", buffer[out]);
        out = (out + 1) % SIZE;
        count--;
        pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&m);
    }
    pthread_join(t, 0);
    printf("\n");
    return 0;
}
