//! verdict: false(unreach-call)
//! decided-by: interleaving
// Without a lock one of two additions may be lost.
#include <pthread.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int account;

void *worker(void *argument) {
    int seen = account;
    account = seen + 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    int seen = account;
    account = seen + 1;
    pthread_join(thread, 0);
    if (account != 2)
        reach_error();
    return 0;
}
