//! verdict: false(unreach-call)
//! decided-by: auto
// The child has its own memory, and violates the property in it.
#include <unistd.h>

static int shared;

int main(void) {
    if (fork() == 0)
        shared = 1;
    if (shared)
        __VERIFIER_error();
    return 0;
}
