//! verdict: unknown(environment)
//! decided-by: auto
//! model: lp64
// What setenv does shows in environ.
#include <assert.h>
#include <stdlib.h>

extern char **environ;

int main(void) {
    char **before = environ;
    if (setenv("NAME", "value", 1) == 0)
        assert(environ == before);
}
