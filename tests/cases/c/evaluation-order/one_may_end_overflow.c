//! property: no-overflow
//! verdict: true
//! decided-by: auto
//! assuming: one_may_end_overflow.c:22:12 (one may end the execution, another violate an assertion)
#include <limits.h>
extern int __VERIFIER_nondet_int(void);
static int level;

static int watchdog(void) {
    if (level > 100)
        for (;;)
            ;
    return 1;
}

static int scaled(void) {
    return level > 100 ? INT_MAX + (level - 100) : 0;
}

int main(void) {
    level = __VERIFIER_nondet_int();
    return watchdog() + scaled();
}
