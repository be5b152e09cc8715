/* Parts of floats. Whether errno is set where glibc does not set it, although C asks for it, is left open. */

_Bool __VERIFIER_nondet_bool(void);
int __VERIFIER_nondet_int(void);
void __fathom_set_errno(int);
double trunc(double);
float truncf(float);
long double truncl(long double);
double copysign(double, double);
float copysignf(float, float);
long double copysignl(long double, long double);

double modf(double x, double *whole)
{
    *whole = trunc(x);
    if (x != x)
        return x;
    /* Infinity has no fraction, and the difference of others is exact. */
    return copysign(x == *whole ? 0 : x - *whole, x);
}

float modff(float x, float *whole)
{
    *whole = truncf(x);
    if (x != x)
        return x;
    return copysignf(x == *whole ? 0 : x - *whole, x);
}

long double modfl(long double x, long double *whole)
{
    *whole = truncl(x);
    if (x != x)
        return x;
    return copysignl(x == *whole ? 0 : x - *whole, x);
}

double nan(const char *tag)
{
    return *tag == 0 ? __builtin_nan("") : 0.0 / 0.0;
}

float nanf(const char *tag)
{
    return *tag == 0 ? __builtin_nanf("") : 0.0f / 0.0f;
}

long double nanl(const char *tag)
{
    return 0.0l / 0.0l;
}

union wide {
    double number;
    unsigned long long bits;
};

union narrow {
    float number;
    unsigned bits;
};

/* A result that overflowed or that lost digits because it is too small. */
static void report(double result)
{
    if (result - result != 0 || (result < 0x1p-1022 && result > -0x1p-1022))
        __fathom_set_errno(34);
}

static void report_narrow(float result)
{
    if (result - result != 0 || (result < 0x1p-126f && result > -0x1p-126f))
        __fathom_set_errno(34);
}

double nextafter(double x, double y)
{
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    union wide next = {x};
    if (x == 0) {
        if (__VERIFIER_nondet_bool())
            __fathom_set_errno(34);
        next.bits = 1;
        return y > 0 ? next.number : -next.number;
    }
    next.bits += (x < y) == (x > 0) ? 1 : -1;
    report(next.number);
    return next.number;
}

float nextafterf(float x, float y)
{
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    union narrow next = {x};
    if (x == 0) {
        if (__VERIFIER_nondet_bool())
            __fathom_set_errno(34);
        next.bits = 1;
        return y > 0 ? next.number : -next.number;
    }
    next.bits += (x < y) == (x > 0) ? 1 : -1;
    report_narrow(next.number);
    return next.number;
}

/* Whether the number is zero, infinite or none: the difference from itself is zero of finite ones only. */
static _Bool is_special(double x)
{
    return x == 0 || x - x != 0;
}

double frexp(double x, int *exponent)
{
    if (is_special(x)) {
        *exponent = x == 0 ? 0 : __VERIFIER_nondet_int();
        return x;
    }
    union wide parts = {x};
    int below = 0;
    if ((parts.bits >> 52 & 0x7ff) == 0) {
        parts.number = x * 0x1p54;
        below = 54;
    }
    *exponent = (int)(parts.bits >> 52 & 0x7ff) - 1022 - below;
    parts.bits = (parts.bits & 0x800fffffffffffff) | 0x3fe0000000000000;
    return parts.number;
}

float frexpf(float x, int *exponent)
{
    return frexp(x, exponent);
}

int ilogb(double x)
{
    if (is_special(x)) {
        __fathom_set_errno(33);
        return x != x || x == 0 ? -2147483647 - 1 : 2147483647;
    }
    int exponent;
    frexp(x, &exponent);
    return exponent - 1;
}

int ilogbf(float x)
{
    return ilogb(x);
}

double logb(double x)
{
    if (x == 0) {
        if (__VERIFIER_nondet_bool())
            __fathom_set_errno(34);
        return -1.0 / 0.0;
    }
    if (is_special(x))
        return x * x;
    return ilogb(x);
}

float logbf(float x)
{
    return logb(x);
}

static double power_of_two(int n)
{
    union wide power;
    power.bits = (unsigned long long)(n + 1023) << 52;
    return power.number;
}

/* What is lost before the last step is too small to matter. */
static double scaled(double x, int n)
{
    n = n > 2200 ? 2200 : n < -2200 ? -2200 : n;
    for (; n > 1023; n -= 1023)
        x *= 0x1p1023;
    for (; n < -1022; n += 969)
        x *= 0x1p-969;
    return x * power_of_two(n);
}

/* Not finite, or zero without having been: the result is out of range. */
double scalbn(double x, int n)
{
    double result = scaled(x, n);
    if (!is_special(x) && is_special(result))
        __fathom_set_errno(34);
    return result;
}

double ldexp(double x, int n)
{
    return scalbn(x, n);
}

double scalbln(double x, long n)
{
    return scalbn(x, n > 2200 ? 2200 : n < -2200 ? -2200 : (int)n);
}

/* A double holds all but what is too large or too small for a float anyway. */
float scalbnf(float x, int n)
{
    float result = scaled(x, n);
    if (!is_special(x) && is_special(result))
        __fathom_set_errno(34);
    return result;
}

float ldexpf(float x, int n)
{
    return scalbnf(x, n);
}

float scalblnf(float x, long n)
{
    return scalbnf(x, n > 2200 ? 2200 : n < -2200 ? -2200 : (int)n);
}
