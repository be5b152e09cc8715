//! verdict: true
// How many bytes are filled is not known, but what is filled and what is not.
#include <assert.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    int values[4] = {1, 2, 3, 4};
    unsigned n = __VERIFIER_nondet_uint(), i = __VERIFIER_nondet_uint();
    if (n > 4 || i >= 4)
        return 0;
    memset(values, 0, n * sizeof(int));
    assert(values[i] == (i < n ? 0 : (int)i + 1));
    return 0;
}
