//! verdict: true
//! decided-by: auto
//! model: lp64
// A signal that is blocked waits.
#include <assert.h>
#include <signal.h>

static int count;

static void handler(int number) {
    count++;
}

int main(void) {
    sigset_t set, old;
    signal(SIGUSR1, handler);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    assert(sigprocmask(SIG_BLOCK, &set, &old) == 0);
    raise(SIGUSR1);
    raise(SIGUSR1);
    assert(count == 0);
    assert(sigpending(&set) == 0 && sigismember(&set, SIGUSR1));
    assert(sigprocmask(SIG_SETMASK, &old, 0) == 0);
    assert(count == 1);
}
