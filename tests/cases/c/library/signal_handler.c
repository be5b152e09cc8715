//! verdict: true
//! decided-by: auto
//! model: lp64
//! assuming: no signal is blocked at the start, and none arrives from outside
#include <assert.h>
#include <signal.h>

static volatile sig_atomic_t seen;

static void handler(int number) {
    seen = number;
}

int main(void) {
    assert(signal(SIGINT, handler) != SIG_ERR);
    assert(raise(SIGINT) == 0);
    assert(seen == SIGINT);
    assert(signal(SIGINT, SIG_DFL) == handler);
}
