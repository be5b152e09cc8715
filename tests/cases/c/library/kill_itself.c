//! verdict: true
//! decided-by: auto
//! model: lp64
// Nothing comes behind a signal that cannot be blocked.
#include <assert.h>
#include <signal.h>
#include <unistd.h>

int main(void) {
    kill(getpid(), SIGKILL);
    assert(0);
}
