//! property: no-data-race
//! verdict: true
//! decided-by: auto
//! model: lp64
// What the library keeps for itself takes part in no race.
#include <pthread.h>
#include <stdlib.h>

static void *draw(void *unused) {
    rand();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, draw, 0);
    rand();
    return 0;
}
