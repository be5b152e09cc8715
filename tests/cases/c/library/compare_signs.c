//! verdict: false(unreach-call)
//! decided-by: auto
//! model: lp64
// C fixes the sign of a comparison's result, and nothing else.
#include <assert.h>
#include <string.h>

int main(void) {
    assert(strcmp("a", "b") == -1);
}
