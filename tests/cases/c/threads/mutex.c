//! run: 555
// A mutex protects a sum.
#include <stdio.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *add(void *p) {
    for (int i = 0; i < 5; i++) {
        pthread_mutex_lock(&m);
        int t = sum;
        sum = t + *(int *)p;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t t[3];
    int by[3] = {1, 10, 100};
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, add, &by[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    printf("%d\n", sum);
    return 0;
}
