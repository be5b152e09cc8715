//! verdict: unknown(unsupported: a call of fork, tests/cases/c/refusals/fork.c:7)
#include <unistd.h>

static int shared;

int main(void) {
    if (fork() == 0)
        shared = 1;
    if (shared)
        __VERIFIER_error();
    return 0;
}
