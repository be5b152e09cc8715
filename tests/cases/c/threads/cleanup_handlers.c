//! verdict: true
//! decided-by: auto
//! model: lp64
// pthread_exit calls cleanup handlers, the last first.
#include <assert.h>
#include <pthread.h>

static int order[2], count;

static void note(void *number) {
    order[count++] = *(int *)number;
}

static int one = 1, two = 2;

static void *run(void *argument) {
    pthread_cleanup_push(note, &one);
    pthread_cleanup_push(note, &two);
    pthread_exit(0);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
    assert(count == 2 && order[0] == 2 && order[1] == 1);
}
