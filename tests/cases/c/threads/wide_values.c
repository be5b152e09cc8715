//! verdict: true
//! decided-by: interleaving
// What is behind the lock is never negative, whatever the inputs are: a predicate says so.
#include <pthread.h>

extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);

pthread_mutex_t lock;
int account;

void *worker(void *argument) {
    int amount = __VERIFIER_nondet_int();
    __VERIFIER_assume(amount > 0 && amount < 1000);
    pthread_mutex_lock(&lock);
    if (account < 100000)
        account += amount;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&other, 0, worker, 0);
    pthread_mutex_lock(&lock);
    if (account < 0)
        reach_error();
    pthread_mutex_unlock(&lock);
    return 0;
}
