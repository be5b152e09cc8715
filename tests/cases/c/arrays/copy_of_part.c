//! verdict: false(unreach-call)
// How many bytes are copied is not known: the last element may stay what it was.
#include <assert.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    int from[4] = {1, 2, 3, 4}, to[4] = {0, 0, 0, 0};
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 4)
        return 0;
    memcpy(to, from, n * sizeof(int));
    if (n >= 1)
        assert(to[0] == 1);
    if (n >= 3)
        assert(to[3] == 4);
    return 0;
}
