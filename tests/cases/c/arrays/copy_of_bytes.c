//! verdict: false(unreach-call)
//! decided-by: auto
// A copy may end inside an element, which is then neither the old one nor the new one.
#include <assert.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned from[2] = {0x01020304, 0x05060708}, to[2] = {0, 0};
    unsigned n = __VERIFIER_nondet_uint();
    if (n > sizeof from)
        return 0;
    memcpy(to, from, n);
    assert(to[0] == 0 || to[0] == 0x01020304);
    return 0;
}
