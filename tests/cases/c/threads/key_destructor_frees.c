//! verdict: false(valid-free)
//! decided-by: auto
//! model: lp64
//! property: valid-free
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;

static void *run(void *argument) {
    char *buffer = malloc(4);
    pthread_setspecific(key, buffer);
    free(buffer);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, free);
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
}
