// Q16.16 numbers: products, quotients and square roots that saturate, and a circle's area from a sensor's radius.
// BUG 1: no-overflow: a negative number's magnitude is taken without its smallest value
// BUG 2: div-by-zero: a quotient is computed before its divisor was looked at
// BUG 3: unreach-call: a product saturates at the wrong end
#include <assert.h>
#include <stdint.h>

#ifndef BUG
#define BUG 0
#endif

typedef int32_t fixed;

#define ONE 65536
#define FIXED_MAX INT32_MAX
#define FIXED_MIN INT32_MIN
#define PI 205887 /* 3.14159 */

extern int __VERIFIER_nondet_int(void);

static fixed saturate(int64_t x) {
    if (x > FIXED_MAX)
        return FIXED_MAX;
    if (x < FIXED_MIN)
#if BUG == 3
        return FIXED_MAX;
#else
        return FIXED_MIN;
#endif
    return (fixed)x;
}

static fixed multiply(fixed a, fixed b) {
    return saturate((int64_t)a * b / ONE);
}

static fixed divide(fixed a, fixed b) {
#if BUG == 2
    fixed quotient = saturate((int64_t)a * ONE / b);
    if (b == 0)
        return a < 0 ? FIXED_MIN : FIXED_MAX;
    return quotient;
#else
    if (b == 0)
        return a < 0 ? FIXED_MIN : FIXED_MAX;
    return saturate((int64_t)a * ONE / b);
#endif
}

static fixed magnitude(fixed x) {
#if BUG != 1
    if (x == FIXED_MIN)
        return FIXED_MAX;
#endif
    return x < 0 ? -x : x;
}

/* Bit by bit; what is returned is rounded down. */
static fixed square_root(fixed x) {
    uint32_t rest = (uint32_t)x, root = 0, bit = 1u << 30;
    if (x <= 0)
        return 0;
    while (bit > rest)
        bit >>= 2;
    while (bit != 0) {
        if (rest >= root + bit) {
            rest -= root + bit;
            root = (root >> 1) + bit;
        } else {
            root >>= 1;
        }
        bit >>= 2;
    }
    return (fixed)(root << 8);
}

int main(void) {
    for (;;) {
        fixed sensor = __VERIFIER_nondet_int();
        fixed radius = magnitude(sensor);
        assert(radius >= 0);

        fixed area = multiply(PI, multiply(radius, radius));
        assert(area >= 0);

        fixed change = multiply(sensor, 3 * ONE);
        assert(sensor >= 0 || change <= 0);

        fixed ratio = divide(area, radius);
        assert(ratio >= 0);
        if (square_root(area) < 0)
            return 1;
    }
}
