//! verdict: true
//! decided-by: auto
#include <assert.h>
#include <math.h>
union bits { double f; unsigned long long u; };
int is_nan(double x)
{
    union bits b;
    b.f = x;
    return (b.u >> 52 & 0x7ff) == 0x7ff && b.u << 12;
}
double __VERIFIER_nondet_double(void);
int main(void)
{
    double x = __VERIFIER_nondet_double(), zero = 0;
    assert(is_nan(zero / zero));
    assert(is_nan(x) == (x != x));
    union bits a, b;
    a.f = x;
    b.f = x;
    assert(a.u == b.u);
}
