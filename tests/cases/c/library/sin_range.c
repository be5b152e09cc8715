//! verdict: true
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <math.h>

double __VERIFIER_nondet_double(void);

int main(void) {
    double x = __VERIFIER_nondet_double();
    if (x >= -1000 && x <= 1000) {
        double y = sin(x);
        assert(y >= -1 && y <= 1);
    }
    assert(exp(0) == 1 && cos(0) == 1 && log(1) == 0);
}
