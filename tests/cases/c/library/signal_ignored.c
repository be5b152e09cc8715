//! verdict: true
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <signal.h>

int main(void) {
    assert(signal(SIGPIPE, SIG_IGN) == SIG_DFL);
    assert(raise(SIGPIPE) == 0);
}
