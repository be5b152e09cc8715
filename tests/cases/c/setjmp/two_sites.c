//! verdict: true
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <setjmp.h>

static jmp_buf first, second;

int main(void) {
    volatile int passed = 0;
    if (setjmp(first) != 0) {
        assert(passed == 1);
        return 0;
    }
    if (setjmp(second) != 0) {
        passed = passed + 1;
        longjmp(first, 1);
    }
    longjmp(second, 1);
}
