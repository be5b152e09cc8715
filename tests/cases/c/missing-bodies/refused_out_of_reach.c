//! verdict: true
//! decided-by: auto
// Control does not come to the call.
#include <assert.h>
extern int level(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int() & 7;
    if (x > 7)
        x = level();
    assert(x <= 7);
    return 0;
}
