//! verdict: unknown(a call of fesetenv)
// The environment of floats has the direction of rounding in it: it is refused, rather than taken to stay.
#include <assert.h>
#include <fenv.h>

int main(void)
{
    volatile double one = 1, three = 3;
    fesetround(FE_UPWARD);
    double up = one / three;
    fesetenv(FE_DFL_ENV);
    assert(one / three < up);
    return 0;
}
