//! verdict: false(unreach-call)
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <pthread.h>

static int count;

static void note(void *number) {
    count++;
}

static void *run(void *argument) {
    pthread_cleanup_push(note, 0);
    pthread_cleanup_pop(1);
    pthread_exit(0);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
    assert(count == 0);
}
