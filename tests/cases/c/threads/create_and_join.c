//! run: 144 1
// A thread gets an argument and returns a value.
#include <stdio.h>
#include <pthread.h>

static void *square(void *p) {
    int *n = p;
    *n *= *n;
    return n;
}

int main(void) {
    int n = 12;
    void *result;
    pthread_t t;
    pthread_create(&t, 0, square, &n);
    pthread_join(t, &result);
    printf("%d %d\n", n, result == &n);
    return 0;
}
