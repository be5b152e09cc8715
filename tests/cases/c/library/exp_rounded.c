//! verdict: unknown(unsupported)
//! model: lp64
// Rounded towards zero, what is too large is the largest number.
#include <assert.h>
#include <fenv.h>
#include <math.h>

int main(void) {
    fesetround(FE_TOWARDZERO);
    double x = exp(1000);
    assert(x > 1e308);
    assert(isinf(x));
}
