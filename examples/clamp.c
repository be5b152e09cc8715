// A number is brought between two limits. Fathom finds the slip, and shows an execution that reaches the failing assertion.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int clamp(int x, int low, int high) {
    if (x < low)
        return low;
    if (x > high)
        return low;
    return x;
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = clamp(x, 0, 100);
    assert(x <= 100 || y == 100);
    return 0;
}
