//! verdict: false(unreach-call)
//! decided-by: auto
//! model: lp64
// abort calls the handler of its signal.
#include <assert.h>
#include <signal.h>
#include <stdlib.h>

static void handler(int number) {
    assert(0);
}

int main(void) {
    signal(SIGABRT, handler);
    abort();
}
