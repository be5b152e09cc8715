//! verdict: true
//! decided-by: morphing
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned size = __VERIFIER_nondet_uint();
    static int a[100000];
    if (size == 0 || size > 100000)
        return 0;
    for (unsigned i = 0; i < size; i++)
        a[i] = (int)__VERIFIER_nondet_uint();
    int greatest = a[0];
    for (unsigned i = 1; i < size; i++)
        if (a[i] > greatest)
            greatest = a[i];
    for (unsigned i = 0; i < size; i++)
        assert(a[i] <= greatest);
    return 0;
}
