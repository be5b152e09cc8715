//! verdict: false(unreach-call)
//! decided-by: auto
//! arguments: --missing-bodies pure
#include <assert.h>
extern int level(void);

int main(void) {
    assert(level() != 12345);
    return 0;
}
