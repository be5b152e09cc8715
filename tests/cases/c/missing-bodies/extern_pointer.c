//! verdict: true
//! decided-by: auto
// A pointer that is defined elsewhere does not point to what only this file knows.
#include <assert.h>
extern int *shared;
static int own = 1;

int main(void) {
    int *mine = &own;
    if (shared)
        *shared = 2;
    assert(*mine == 1);
    return 0;
}
