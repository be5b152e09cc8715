//! verdict: true
//! decided-by: auto
//! model: lp64
// A variable of the environment stays what it is until it is changed.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *a = getenv("A");
    getenv("B");
    assert(getenv("A") == a);
}
