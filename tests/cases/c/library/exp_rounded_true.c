//! verdict: true
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <errno.h>
#include <fenv.h>
#include <math.h>

int main(void) {
    assert(isinf(exp(1000)) && errno == ERANGE);
    fesetround(FE_UPWARD);
    double small = exp(-1000);
    assert(small >= 0 && small <= 0x1p-1000);
}
