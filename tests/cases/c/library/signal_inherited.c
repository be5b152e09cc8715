//! verdict: false(unreach-call)
//! decided-by: auto
//! model: lp64
// What starts the program may have a signal ignored.
#include <assert.h>
#include <signal.h>

int main(void) {
    assert(signal(SIGHUP, SIG_DFL) == SIG_DFL);
}
