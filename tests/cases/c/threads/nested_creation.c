//! run: 44
// A thread starts another one.
#include <stdio.h>
#include <pthread.h>

static int depth;

static void *deeper(void *p) {
    int left = *(int *)p - 1;
    depth++;
    if (left > 0) {
        pthread_t t;
        pthread_create(&t, 0, deeper, &left);
        pthread_join(t, 0);
    }
    depth += 10;
    return 0;
}

int main(void) {
    int n = 4;
    pthread_t t;
    pthread_create(&t, 0, deeper, &n);
    pthread_join(t, 0);
    printf("%d\n", depth);
    return 0;
}
