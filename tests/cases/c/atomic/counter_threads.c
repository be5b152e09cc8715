//! run: 40
// Two threads count in one atomic variable.
#include <stdio.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int n;

static void *work(void *unused) {
    for (int i = 0; i < 20; i++)
        atomic_fetch_add(&n, 1);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("%d\n", n);
    return 0;
}
