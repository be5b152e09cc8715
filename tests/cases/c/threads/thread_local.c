//! run: 142 100 0
// Each thread has its own copy of a __thread variable.
#include <stdio.h>
#include <pthread.h>

static __thread int mine = 5;
static _Thread_local int other;
static int seen;

static void *run(void *p) {
    mine += *(int *)p;
    other++;
    seen += mine * 10 + other;
    return 0;
}

int main(void) {
    pthread_t t;
    int by = 2;
    mine = 100;
    pthread_create(&t, 0, run, &by);
    pthread_join(t, 0);
    pthread_create(&t, 0, run, &by);
    pthread_join(t, 0);
    printf("%d %d %d\n", seen, mine, other);
    return 0;
}
