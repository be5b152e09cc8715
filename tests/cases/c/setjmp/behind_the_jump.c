//! verdict: false(unreach-call)
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <setjmp.h>

static jmp_buf place;
static int errors;

static void parse(int c) {
    if (c < 0)
        longjmp(place, 1);
}

int __VERIFIER_nondet_int(void);

int main(void) {
    if (setjmp(place)) {
        errors++;
    } else {
        parse(__VERIFIER_nondet_int());
    }
    assert(errors == 0);
}
