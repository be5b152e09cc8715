//! run: 1 30 40
// pthread_exit ends a thread from inside a call.
#include <stdio.h>
#include <stdint.h>
#include <pthread.h>

static void leave(long n) {
    if (n > 2)
        pthread_exit((void *)(intptr_t)(n * 10));
}

static void *run(void *p) {
    leave((long)(intptr_t)p);
    return (void *)1;
}

int main(void) {
    for (long i = 2; i < 5; i++) {
        pthread_t t;
        void *r;
        pthread_create(&t, 0, run, (void *)(intptr_t)i);
        pthread_join(t, &r);
        printf("%ld ", (long)(intptr_t)r);
    }
    printf("\n");
    return 0;
}
