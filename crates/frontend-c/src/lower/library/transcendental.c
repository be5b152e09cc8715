/* Functions on floats that are not computed: their results are in the ranges that mathematics gives, and exact where IEEE 754 and C say so.
   Behind a result that is not exact, coming to an error says nothing. */

_Bool __VERIFIER_nondet_bool(void);
double __VERIFIER_nondet_double(void);
void __VERIFIER_assume(int);
void __fathom_set_errno(int);
void __fathom_made_up(void);
double fabs(double);
double trunc(double);
int fegetround(void);

enum { EDOM = 33, ERANGE = 34 };

/* No number: neither smaller nor greater than anything. */
static double undefined(void)
{
    __fathom_set_errno(EDOM);
    return 0.0 / 0.0;
}

static double pole(double result)
{
    __fathom_set_errno(ERANGE);
    return result;
}

/* A result between two numbers. Where results are not rounded to the nearest, the last digits of both are uncertain. */
static double some_between(double least, double most)
{
    double result = __VERIFIER_nondet_double();
    __fathom_made_up();
    if (fegetround() != 0) {
        least -= fabs(least) * 0x1p-49;
        most += fabs(most) * 0x1p-49;
    }
    __VERIFIER_assume(result >= least && result <= most);
    return result;
}

/* Where the result is infinite or very small, it is out of range; where it is the largest number, it may be. */
static double between(double least, double most)
{
    double result = some_between(least, most);
    if (result - result != 0)
        __fathom_set_errno(ERANGE);
    else if ((fabs(result) < 0x1p-1021 || fabs(result) == 0x1.fffffffffffffp1023) && __VERIFIER_nondet_bool())
        __fathom_set_errno(ERANGE);
    return result;
}

/* Too large: infinity, or the largest number where results are not rounded to the nearest. */
static double overflow(void)
{
    __fathom_set_errno(ERANGE);
    return fegetround() == 0 ? 1.0 / 0.0 : some_between(0x1.fffffffffffffp1023, 1.0 / 0.0);
}

/* Too small, and positive: zero, or the smallest number where results are not rounded to the nearest. */
static double underflow(void)
{
    __fathom_set_errno(ERANGE);
    return fegetround() == 0 ? 0 : some_between(0, 0x1p-1074);
}

static float narrow(double wide)
{
    float result = (float)wide;
    if (result - result != 0 && wide - wide == 0)
        __fathom_set_errno(ERANGE);
    else if (wide != 0 && (fabs(result) < 0x1p-125 || fabs(result) == 0x1.fffffep127) && __VERIFIER_nondet_bool())
        __fathom_set_errno(ERANGE);
    return result;
}

double sin(double x)
{
    if (x != x)
        return x;
    if (x - x != 0)
        return undefined();
    if (x == 0)
        return x;
    return between(-1, 1);
}

float sinf(float x)
{
    return narrow(sin(x));
}

double cos(double x)
{
    if (x != x)
        return x;
    if (x - x != 0)
        return undefined();
    if (x == 0)
        return 1;
    return between(-1, 1);
}

float cosf(float x)
{
    return narrow(cos(x));
}

double tan(double x)
{
    if (x != x)
        return x;
    if (x - x != 0)
        return undefined();
    if (x == 0)
        return x;
    return between(-0x1.fffffffffffffp1023, 0x1.fffffffffffffp1023);
}

float tanf(float x)
{
    return narrow(tan(x));
}

double asin(double x)
{
    if (x != x)
        return x;
    if (fabs(x) > 1)
        return undefined();
    if (x == 0)
        return x;
    return x > 0 ? between(0, 0x1.921fb54442d19p0) : between(-(0x1.921fb54442d19p0), 0);
}

float asinf(float x)
{
    return narrow(asin(x));
}

double acos(double x)
{
    if (x != x)
        return x;
    if (fabs(x) > 1)
        return undefined();
    if (x == 1)
        return 0;
    return between(0, 0x1.921fb54442d19p1);
}

float acosf(float x)
{
    return narrow(acos(x));
}

double atan(double x)
{
    if (x != x)
        return x;
    if (x == 0)
        return x;
    return x > 0 ? between(0, 0x1.921fb54442d19p0) : between(-(0x1.921fb54442d19p0), 0);
}

float atanf(float x)
{
    return narrow(atan(x));
}

double sinh(double x)
{
    if (x != x)
        return x;
    if (x == 0)
        return x;
    if (x - x != 0)
        return x;
    return x > 0 ? between(0, 1.0 / 0.0) : between(-(1.0 / 0.0), 0);
}

float sinhf(float x)
{
    return narrow(sinh(x));
}

double cosh(double x)
{
    if (x != x)
        return x;
    if (x == 0)
        return 1;
    if (x - x != 0)
        return fabs(x);
    return between(1, 1.0 / 0.0);
}

float coshf(float x)
{
    return narrow(cosh(x));
}

double tanh(double x)
{
    if (x != x)
        return x;
    if (x == 0)
        return x;
    return x > 0 ? between(0, 1.0) : between(-(1.0), 0);
}

float tanhf(float x)
{
    return narrow(tanh(x));
}

double asinh(double x)
{
    if (x != x)
        return x;
    if (x == 0)
        return x;
    if (x - x != 0)
        return x;
    return x > 0 ? between(0, 711.0) : between(-(711.0), 0);
}

float asinhf(float x)
{
    return narrow(asinh(x));
}

double acosh(double x)
{
    if (x != x)
        return x;
    if (x < 1)
        return undefined();
    if (x == 1)
        return 0;
    if (x - x != 0)
        return x;
    return between(0, 711.0);
}

float acoshf(float x)
{
    return narrow(acosh(x));
}

double atanh(double x)
{
    if (x != x)
        return x;
    if (fabs(x) > 1)
        return undefined();
    if (fabs(x) == 1)
        return pole(x / 0.0);
    if (x == 0)
        return x;
    return x > 0 ? between(0, 40.0) : between(-(40.0), 0);
}

float atanhf(float x)
{
    return narrow(atanh(x));
}

double exp(double x)
{
    if (x != x)
        return x;
    if (x == 0)
        return 1;
    if (x - x != 0)
        return x > 0 ? x : 0;
    if (x >= 710)
        return overflow();
    if (x <= -746)
        return underflow();
    return x > 0 ? between(1, 1.0 / 0.0) : between(0, 1);
}

float expf(float x)
{
    return narrow(exp(x));
}

double exp2(double x)
{
    if (x != x)
        return x;
    if (x == 0)
        return 1;
    if (x - x != 0)
        return x > 0 ? x : 0;
    if (x >= 1024)
        return overflow();
    if (x <= -1076)
        return underflow();
    return x > 0 ? between(1, 1.0 / 0.0) : between(0, 1);
}

float exp2f(float x)
{
    return narrow(exp2(x));
}

double exp10(double x)
{
    if (x != x)
        return x;
    if (x == 0)
        return 1;
    if (x - x != 0)
        return x > 0 ? x : 0;
    if (x >= 309)
        return overflow();
    if (x <= -325)
        return underflow();
    return x > 0 ? between(1, 1.0 / 0.0) : between(0, 1);
}

float exp10f(float x)
{
    return narrow(exp10(x));
}

double expm1(double x)
{
    if (x != x)
        return x;
    if (x == 0)
        return x;
    if (x - x != 0)
        return x > 0 ? x : -1;
    if (x >= 710)
        return overflow();
    return x > 0 ? between(0, 1.0 / 0.0) : between(-1, 0);
}

float expm1f(float x)
{
    return narrow(expm1(x));
}

double log(double x)
{
    if (x != x)
        return x;
    if (x == 0)
        return pole(-1.0 / 0.0);
    if (x < 0)
        return undefined();
    if (x == 1)
        return 0;
    if (x - x != 0)
        return x;
    return x > 1 ? between(0, 710) : between(-746, 0);
}

float logf(float x)
{
    return narrow(log(x));
}

double log2(double x)
{
    if (x != x)
        return x;
    if (x == 0)
        return pole(-1.0 / 0.0);
    if (x < 0)
        return undefined();
    if (x == 1)
        return 0;
    if (x - x != 0)
        return x;
    return x > 1 ? between(0, 1025) : between(-1075, 0);
}

float log2f(float x)
{
    return narrow(log2(x));
}

double log10(double x)
{
    if (x != x)
        return x;
    if (x == 0)
        return pole(-1.0 / 0.0);
    if (x < 0)
        return undefined();
    if (x == 1)
        return 0;
    if (x - x != 0)
        return x;
    return x > 1 ? between(0, 309) : between(-325, 0);
}

float log10f(float x)
{
    return narrow(log10(x));
}

double log1p(double x)
{
    if (x != x)
        return x;
    if (x == 0)
        return x;
    if (x == -1)
        return pole(-1.0 / 0.0);
    if (x < -1)
        return undefined();
    if (x - x != 0)
        return x;
    return x > 0 ? between(0, 710) : between(-40, 0);
}

float log1pf(float x)
{
    return narrow(log1p(x));
}

double cbrt(double x)
{
    if (x != x)
        return x;
    if (x == 0)
        return x;
    if (x - x != 0)
        return x;
    return x > 0 ? between(0, 0x1p342) : between(-(0x1p342), 0);
}

float cbrtf(float x)
{
    return narrow(cbrt(x));
}

double erf(double x)
{
    if (x != x)
        return x;
    if (x == 0)
        return x;
    return x > 0 ? between(0, 1.0) : between(-(1.0), 0);
}

float erff(float x)
{
    return narrow(erf(x));
}

double erfc(double x)
{
    if (x != x)
        return x;
    if (x == 0)
        return 1;
    return between(0, 2);
}

float erfcf(float x)
{
    return narrow(erfc(x));
}

double atan2(double y, double x)
{
    if (x != x || y != y)
        return x + y;
    return y > 0 ? between(0, 0x1.921fb54442d19p1) : y < 0 ? between(-0x1.921fb54442d19p1, 0) : between(-0x1.921fb54442d19p1, 0x1.921fb54442d19p1);
}

float atan2f(float y, float x)
{
    return narrow(atan2(y, x));
}

double hypot(double x, double y)
{
    if (x - x != 0 && x == x)
        return x * x;
    if (y - y != 0 && y == y)
        return y * y;
    if (x != x || y != y)
        return x + y;
    if (x == 0 || y == 0)
        return fabs(x == 0 ? y : x);
    return between(0, 1.0 / 0.0);
}

float hypotf(float x, float y)
{
    return narrow(hypot(x, y));
}

double pow(double x, double y)
{
    if (y == 0 || x == 1)
        return 1;
    if (x != x || y != y)
        return x + y;
    if (x == 0 && y < 0 && y - y == 0) {
        __fathom_made_up();
        return pole(1 / x < 0 && __VERIFIER_nondet_bool() ? -1.0 / 0.0 : 1.0 / 0.0);
    }
    if (x < 0 && x - x == 0 && y - y == 0 && y != trunc(y))
        return undefined();
    return x >= 0 && 1 / x > 0 ? between(0, 1.0 / 0.0) : between(-1.0 / 0.0, 1.0 / 0.0);
}

float powf(float x, float y)
{
    return narrow(pow(x, y));
}

void sincos(double x, double *sine, double *cosine)
{
    *sine = sin(x);
    *cosine = cos(x);
}

void sincosf(float x, float *sine, float *cosine)
{
    *sine = sinf(x);
    *cosine = cosf(x);
}
