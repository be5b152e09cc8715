/* Floating point: conversions, comparisons, and the library functions that are exact. */
double floor(double), ceil(double), trunc(double), round(double), rint(double), sqrt(double), fmod(double, double);
double fabs(double), fmin(double, double), fmax(double, double), copysign(double, double);
float fabsf(float);
int isnan(double), isinf(double);

static int failed;
static void check(int ok, int number) { if (!ok && !failed) failed = number; }

int main(void)
{
    double d = 1e10, nan = 0.0 / 0.0, infinity = 1.0 / 0.0;
    float f = 0.1f;
    check((long long)d == 10000000000ll && (int)-2.9 == -2 && (unsigned)3e9 == 3000000000u, 1);
    check((double)f != 0.1 && (float)0.1 == f, 2);
    check(!(nan == nan) && nan != nan && !(nan < 1) && !(nan >= 1), 3);
    check(infinity > 1e308 && -infinity < -1e308 && 0.0 == -0.0, 4);
    check(floor(-2.5) == -3 && ceil(-2.5) == -2 && trunc(-2.5) == -2 && round(-2.5) == -3 && rint(2.5) == 2, 5);
    check(sqrt(2.25) == 1.5 && fabs(-1.5) == 1.5 && fabsf(-f) == f, 6);
    check(fmod(7.25, 2) == 1.25 && fmod(-7.25, 2) == -1.25 && fmod(5, 3.5) == 1.5 && fmod(1, 1e300) == 1, 7);
    check(fmin(1, nan) == 1 && fmax(nan, 2) == 2 && fmin(1, 2) == 1 && fmax(1, 2) == 2, 8);
    check(copysign(3, -0.0) == -3, 9);
    check(isnan(nan) && !isnan(d) && isinf(infinity) && !isinf(nan), 10);
    check(nan ? 1 : 0, 11);
    long double l = 1.0L / 3, pair[2] = { l, 2 };
    check(l > 0.3333333333333333L && pair[0] + pair[1] > 2.3L, 12);
    unsigned long long big = 1.2e19;
    check(big == 12000000000000000000ull && (double)18446744073709551615ull == 18446744073709551616.0, 13);
    union { double d; unsigned long long bits; } u = { 1.0 };
    check(u.bits == 0x3ff0000000000000ull, 14);
    check((_Bool)0.5 == 1 && (_Bool)0.0 == 0, 15);
    return failed;
}
