//! verdict: false(unreach-call)
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <pthread.h>

int main(void) {
    pthread_key_t key;
    assert(pthread_key_create(&key, 0) == 0);
}
