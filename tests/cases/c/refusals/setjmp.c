//! verdict: unknown(unsupported: a call of _setjmp, tests/cases/c/refusals/setjmp.c:7)
#include <setjmp.h>

static jmp_buf env;

int main(void) {
    if (setjmp(env) == 0)
        longjmp(env, 1);
    __VERIFIER_error();
    return 0;
}
