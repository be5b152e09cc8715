//! verdict: false(unreach-call)
//! decided-by: auto
/* Which NaN an operation gives is open. */
#include <assert.h>
union bits { float f; unsigned u; };
int main(void)
{
    volatile float zero = 0;
    union bits a;
    a.f = zero / zero;
    assert(a.u == 0x7fc00000u);
}
