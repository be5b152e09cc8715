//! verdict: false(unreach-call)
//! decided-by: auto
// Where rounding is downward, the difference of equal numbers is the negative zero.
#include <assert.h>
#include <fenv.h>
#include <math.h>

int main(void)
{
    volatile float x = 1.5f;
    fesetround(FE_DOWNWARD);
    assert(!signbit(x - x));
    return 0;
}
