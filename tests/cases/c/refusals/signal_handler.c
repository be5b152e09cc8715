//! verdict: unknown(unsupported: a handler of signals)
#include <signal.h>

static volatile int caught;
static void handler(int n) { caught = n; }

int main(void) {
    signal(SIGTERM, handler);
    raise(SIGTERM);
    if (caught)
        __VERIFIER_error();
    return 0;
}
