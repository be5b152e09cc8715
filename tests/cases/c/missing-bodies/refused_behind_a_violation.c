//! verdict: false(unreach-call)
//! decided-by: auto
// The call has to be reached to matter.
#include <assert.h>
extern int level(void);

int main(void) {
    int x = 1;
    assert(x == 2);
    return level();
}
