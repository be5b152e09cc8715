//! verdict: false(unreach-call)
//! decided-by: interleaving
// Two of any number of threads meet.
#include <pthread.h>

extern void reach_error(void);

int shared;

void *worker(void *argument) {
    shared = 1;
    if (shared != 1)
        reach_error();
    shared = 0;
    return 0;
}

int main(void) {
    pthread_t thread;
    while (1)
        pthread_create(&thread, 0, worker, 0);
}
