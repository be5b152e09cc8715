//! verdict: unknown(a call of level, which has no body)
//! decided-by: auto
// Nothing is known of a function without a body, unless it is said.
#include <assert.h>
extern int level(void);

int main(void) {
    int x = level();
    assert(x >= 0);
    return 0;
}
