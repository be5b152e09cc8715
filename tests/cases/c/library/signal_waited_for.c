//! verdict: true
//! decided-by: auto
//! model: lp64
// A signal that was waited for is no longer pending.
#include <assert.h>
#include <signal.h>

int main(void) {
    sigset_t set;
    int number;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, 0);
    raise(SIGUSR1);
    assert(sigwait(&set, &number) == 0 && number == SIGUSR1);
    assert(sigpending(&set) == 0 && !sigismember(&set, SIGUSR1));
}
