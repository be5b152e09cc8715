//! verdict: false(unreach-call)
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <signal.h>
#include <string.h>

static int count;

static void handler(int number) {
    count++;
}

int main(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGTERM, &action, 0) == 0)
        raise(SIGTERM);
    assert(count == 0);
}
