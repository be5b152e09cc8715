/* Functions of math.h that are expanded where they are called. */

#define _GNU_SOURCE
#include "random.h"
#include <math.h>

/* Numbers are made and looked at without their bits: of what is no number these are open. */
static double scaled(int lowest, int exponents)
{
    double mantissa = (double)((int64_t)bits() >> 11);
    int exponent = lowest + (int)((bits() >> 32) % exponents);
    double result = ldexp(mantissa, exponent);
    errno = 0;
    return result;
}

static double number(void)
{
    static const double special[] = {0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 0x1p-1074, 0x1p-1022, 0x1.fffffffffffffp1023, HUGE_VAL, -HUGE_VAL, NAN};
    uint64_t choice = bits() >> 32;
    if (choice % 4 == 0)
        return special[choice / 4 % 12];
    if (choice % 4 == 1)
        return (double)(int64_t)bits() / (1 << choice / 4 % 31) / (1 << choice / 1024 % 31);
    return scaled(-1074, 2048);
}

static float narrow(void)
{
    return (float)(bits() & 65536 ? number() : scaled(-200, 280));
}

/* Which of those that are no numbers it is, and what zero fmin and fmax give of two, is left open. */
static void add_number(double x)
{
    int error = errno, exponent = 0;
    if (x != x)
        add(1);
    else if (x == HUGE_VAL || x == -HUGE_VAL)
        add(x > 0 ? 2 : 3);
    else if (x == 0)
        add(1 / x > 0 ? 4 : 5);
    else {
        double mantissa = frexp(x, &exponent);
        add((uint64_t)(int64_t)(mantissa * 0x1p53));
        add((uint64_t)(int64_t)exponent);
    }
    add((uint64_t)error);
}

/* glibc gives zero the wrong sign where the divisor is very small. */
static double unsigned_zero(double x)
{
    return x == 0 ? 0 : x;
}

TEST(fabs, add_number(fabs(number())))
TEST(fabsf, add_number(fabsf(narrow())))
TEST(sqrt, add_number(sqrt(number())))
TEST(sqrtf, add_number(sqrtf(narrow())))
TEST(floor, add_number(floor(number())))
TEST(floorf, add_number(floorf(narrow())))
TEST(ceil, add_number(ceil(number())))
TEST(ceilf, add_number(ceilf(narrow())))
TEST(trunc, add_number(trunc(number())))
TEST(truncf, add_number(truncf(narrow())))
TEST(round, add_number(round(number())))
TEST(roundf, add_number(roundf(narrow())))
TEST(rint, add_number(rint(number())))
TEST(rintf, add_number(rintf(narrow())))
TEST(nearbyint, add_number(nearbyint(number())))
TEST(nearbyintf, add_number(nearbyintf(narrow())))
TEST(roundeven, add_number(roundeven(number())))
TEST(roundevenf, add_number(roundevenf(narrow())))
TEST(fmin, double x = number(); double y = number(); if (x == y) y = x; add_number(fmin(x, y)))
TEST(fminf, float x = narrow(); float y = narrow(); if (x == y) y = x; add_number(fminf(x, y)))
TEST(fmax, double x = number(); double y = number(); if (x == y) y = x; add_number(fmax(x, y)))
TEST(fmaxf, float x = narrow(); float y = narrow(); if (x == y) y = x; add_number(fmaxf(x, y)))
TEST(fdim, double x = number(); double y = number(); add_number(fdim(x, y)))
TEST(fdimf, float x = narrow(); float y = narrow(); add_number(fdimf(x, y)))
TEST(fmod, double x = number(); double y = number(); add_number(fmod(x, y)))
TEST(fmodf, float x = narrow(); float y = narrow(); add_number(fmodf(x, y)))
TEST(remainder, double x = number(); double y = number(); add_number(unsigned_zero(remainder(x, y))))
TEST(remainderf, float x = narrow(); float y = narrow(); add_number(remainderf(x, y)))
TEST(drem, double x = number(); double y = number(); add_number(unsigned_zero(drem(x, y))))
TEST(dremf, float x = narrow(); float y = narrow(); add_number(dremf(x, y)))
TEST(copysign, double x = number(); double y = number(); if (y != y) y = 1; add_number(copysign(x, y)))
TEST(copysignf, float x = narrow(); float y = narrow(); if (y != y) y = 1; add_number(copysignf(x, y)))
TEST(fma, double x = number(); double y = number(); double z = number(); add_number(fma(x, y, z)))
TEST(fmaf, float x = narrow(); float y = narrow(); float z = narrow(); add_number(fmaf(x, y, z)))
TEST(lrint, double x = number(); if (fabs(x) < 9e18) add(lrint(x)))
TEST(lrintf, float x = narrow(); if (fabsf(x) < 9e18f) add(lrintf(x)))
TEST(llrint, double x = number(); if (fabs(x) < 9e18) add(llrint(x)))
TEST(llrintf, float x = narrow(); if (fabsf(x) < 9e18f) add(llrintf(x)))
TEST(lround, double x = number(); if (fabs(x) < 9e18) add(lround(x)))
TEST(lroundf, float x = narrow(); if (fabsf(x) < 9e18f) add(lroundf(x)))
TEST(llround, double x = number(); if (fabs(x) < 9e18) add(llround(x)))
TEST(llroundf, float x = narrow(); if (fabsf(x) < 9e18f) add(llroundf(x)))
TEST(__isnan, double x = number(); add(__isnan(x) != 0))
TEST(__isinf, double x = number(); add(__isinf(x)))
TEST(__finite, double x = number(); add(__finite(x) != 0))
TEST(__signbit, double x = number(); if (x != x) x = 1; add(__signbit(x) != 0))
TEST(__fpclassify, double x = number(); add(__fpclassify(x)))
TEST(modf, double whole; double x = number(); add_number(modf(x, &whole)); add_number(whole))
TEST(frexp, int e = 0; double x = number(); add_number(frexp(x, &e)); if (x - x == 0) add(e))
TEST(ldexp, int n = (int)(bits() >> 40) % 3000 - 1500; add_number(ldexp(number(), n)))

int main(void)
{
    test_fabs();
    test_fabsf();
    test_sqrt();
    test_sqrtf();
    test_floor();
    test_floorf();
    test_ceil();
    test_ceilf();
    test_trunc();
    test_truncf();
    test_round();
    test_roundf();
    test_rint();
    test_rintf();
    test_nearbyint();
    test_nearbyintf();
    test_roundeven();
    test_roundevenf();
    test_fmin();
    test_fminf();
    test_fmax();
    test_fmaxf();
    test_fdim();
    test_fdimf();
    test_fmod();
    test_fmodf();
    test_remainder();
    test_remainderf();
    test_drem();
    test_dremf();
    test_copysign();
    test_copysignf();
    test_fma();
    test_fmaf();
    test_lrint();
    test_lrintf();
    test_llrint();
    test_llrintf();
    test_lround();
    test_lroundf();
    test_llround();
    test_llroundf();
    test___isnan();
    test___isinf();
    test___finite();
    test___signbit();
    test___fpclassify();
    test_modf();
    test_frexp();
    test_ldexp();
}
