//! verdict: false(unreach-call)
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <threads.h>

static int number;

static int run(void *argument) {
    number = 1;
    thrd_exit(2);
}

int main(void) {
    thrd_t thread;
    thrd_create(&thread, run, 0);
    assert(number == 0);
    thrd_join(thread, 0);
}
