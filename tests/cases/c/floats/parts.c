//! verdict: true
//! decided-by: auto
// Numbers are taken apart and scaled as libm does it: gcc's program has no assertion that fails.
#include <assert.h>
#include <limits.h>
#include <math.h>

int main(void)
{
    double whole;
    float narrow;
    int e;
    assert(modf(3.25, &whole) == 0.25 && whole == 3);
    assert(modf(-3.25, &whole) == -0.25 && whole == -3);
    assert(signbit(modf(-2.0, &whole)) && whole == -2);
    assert(modf(-INFINITY, &whole) == 0 && whole == -INFINITY);
    assert(isnan(modf(NAN, &whole)) && isnan(whole));
    assert(modff(1.5f, &narrow) == 0.5f && narrow == 1);
    assert(isnan(nan("1")) && isnan(nanf("")));
    assert(nextafter(1.0, 2.0) == 1.0 + 0x1p-52 && nextafter(1.0, 0.0) == 1.0 - 0x1p-53);
    assert(nextafter(0.0, -1.0) == -0x1p-1074 && nextafter(-0x1p-1074, 1.0) == 0);
    assert(nextafter(1.7976931348623157e308, INFINITY) == INFINITY);
    assert(nextafterf(-1.0f, -2.0f) == -1.0f - 0x1p-23f);
    assert(frexp(-12.0, &e) == -0.75 && e == 4);
    assert(frexp(0x1p-1074, &e) == 0.5 && e == -1073);
    assert(frexp(0.0, &e) == 0 && e == 0 && frexp(INFINITY, &e) == INFINITY);
    assert(frexpf(0x1p-149f, &e) == 0.5f && e == -148);
    assert(ilogb(10.0) == 3 && ilogb(0x1p-1074) == -1074 && ilogb(INFINITY) == INT_MAX && ilogb(0.0) == INT_MIN);
    assert(logb(0.3) == -2 && logb(0.0) == -INFINITY && logb(-INFINITY) == INFINITY && isnan(logb(NAN)));
    assert(ldexp(0.75, 4) == 12 && scalbn(1.0, -1074) == 0x1p-1074 && scalbn(1.0, -1075) == 0);
    assert(scalbn(0x1.8p0, -1074) == 0x1p-1073 && scalbn(0x1p-1074, 2097) == 0x1p1023);
    assert(scalbn(0x1p1023, -2097) == 0x1p-1074 && scalbn(-1.0, INT_MIN) == 0 && scalbn(1.0, INT_MAX) == INFINITY);
    assert(scalbn(0x1.0000000000001p0, -1023) == 0x1p-1023 && scalbln(3.0, -1L) == 1.5);
    assert(ldexpf(1.5f, -149) == 0x1p-148f && scalbnf(1.0f, 200) == INFINITY);
    return 0;
}
