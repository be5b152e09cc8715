//! verdict: true
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <signal.h>

int main(void) {
    void (*before)(int) = signal(SIGPIPE, SIG_IGN);
    assert(before == SIG_DFL || before == SIG_IGN);
    assert(raise(SIGPIPE) == 0);
}
