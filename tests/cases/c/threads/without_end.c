//! verdict: true
//! decided-by: interleaving
// Any number of threads takes turns: whoever holds the lock finds what it wrote.
#include <pthread.h>

extern void reach_error(void);
extern void __VERIFIER_assume(int);

int lock, shared;

void __VERIFIER_atomic_acquire(void) {
    __VERIFIER_assume(lock == 0);
    lock = 1;
}

void *worker(void *argument) {
    __VERIFIER_atomic_acquire();
    shared = 1;
    if (shared != 1)
        reach_error();
    shared = 0;
    lock = 0;
    return 0;
}

int main(void) {
    pthread_t thread;
    while (1)
        pthread_create(&thread, 0, worker, 0);
}
