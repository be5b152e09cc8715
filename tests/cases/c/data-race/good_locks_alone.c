//! property: no-data-race
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    int y = 0;
    pthread_mutex_lock(&m);
    y++;
    pthread_mutex_unlock(&m);
    return y - 1;
}
