//! verdict: false(unreach-call)
//! decided-by: auto
//! model: lp64
// The name is no literal where getenv is called.
#include <assert.h>
#include <stdlib.h>

static int is_set(const char *name) {
    char *value = getenv(name);
    return value && value[0] == 'x';
}

int main(void) {
    assert(!is_set("A"));
}
