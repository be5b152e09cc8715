//! verdict: true
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <threads.h>

static int number = 3;

static int run(void *argument) {
    return -*(int *)argument;
}

int main(void) {
    thrd_t thread;
    int result;
    if (thrd_create(&thread, run, &number) != thrd_success)
        return 1;
    assert(thrd_join(thread, &result) == thrd_success);
    assert(result == -3);
}
