//! verdict: true
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <setjmp.h>
#include <signal.h>

static sigjmp_buf place;

static void handler(int number) {
    siglongjmp(place, number);
}

int main(void) {
    volatile int count = 0;
    signal(SIGUSR1, handler);
    if (sigsetjmp(place, 1) == 0) {
        count = 1;
        raise(SIGUSR1);
        assert(0);
    }
    if (count == 1) {
        count = 2;
        raise(SIGUSR1);
    }
    assert(count == 2);
}
