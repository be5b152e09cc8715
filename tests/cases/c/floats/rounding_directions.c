//! verdict: true
//! decided-by: auto
// fesetround changes what sums, roots and conversions are rounded to; gcc's program agrees.
#include <assert.h>
#include <fenv.h>
#include <math.h>

extern double __VERIFIER_nondet_double(void);

static double third(void)
{
    volatile double one = 1, three = 3;
    return one / three;
}

int main(void)
{
    assert(fegetround() == FE_TONEAREST);
    double nearest = third();
    assert(fesetround(FE_DOWNWARD) == 0);
    double down = third();
    volatile int big = 16777217;
    float lower = (float)big;
    assert(rint(2.5) == 2.0 && lrint(-2.5) == -3);
    assert(fesetround(FE_UPWARD) == 0 && fegetround() == FE_UPWARD);
    double up = third();
    float upper = (float)big;
    assert(rint(2.5) == 3.0 && nearbyint(-2.5) == -2.0);
    assert(fesetround(12345) != 0 && fegetround() == FE_UPWARD);
    fesetround(FE_TOWARDZERO);
    assert(third() == down && rint(-2.5) == -2.0 && lrint(2.9) == 2);
    fesetround(FE_TONEAREST);
    assert(down < up && (nearest == down || nearest == up));
    assert(lower == 16777216.0f && upper == 16777218.0f);
    double x = __VERIFIER_nondet_double();
    if (x > 0 && x < 1000) {
        fesetround(FE_UPWARD);
        double above = rint(x);
        fesetround(FE_TONEAREST);
        assert(above == ceil(x));
    }
    return 0;
}
