//! property: locking
//! verdict: false(locking)
//! decided-by: auto
//! model: lp64
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    int locked = 0;
    if (__VERIFIER_nondet_int()) {
        pthread_mutex_lock(&m);
        locked = 1;
    }
    if (!locked)
        pthread_mutex_unlock(&m);
    return 0;
}
