// A scalar Kalman-like filter for a height: prediction, gain, correction; the variance stays between limits.
// BUG 1: unreach-call: the gain is the quotient the wrong way round
// BUG 2: div-by-zero: the gain is computed in whole numbers from variances that may be zero
// BUG 3: no-overflow: the height is scaled before it is limited
#include <assert.h>
#include <stdint.h>

#ifndef BUG
#define BUG 0
#endif

extern int __VERIFIER_nondet_int(void);

#define VARIANCE_MIN 0.01
#define VARIANCE_MAX 100.0
#define NOISE 4.0

struct filter {
    double height;
    double variance;
};

static double limited(double x, double low, double high) {
    return x < low ? low : x > high ? high : x;
}

static int clamp(int x, int low, int high) {
    return x < low ? low : x > high ? high : x;
}

static void predict(struct filter *f) {
    f->variance = limited(f->variance + 0.5, VARIANCE_MIN, VARIANCE_MAX);
}

static void correct(struct filter *f, double measured) {
#if BUG == 1
    double gain = (f->variance + NOISE) / f->variance;
#else
    double gain = f->variance / (f->variance + NOISE);
#endif
    assert(gain > 0.0 && gain < 1.0);
    f->height = limited(f->height + gain * (measured - f->height), -500.0, 9000.0);
    f->variance = limited((1.0 - gain) * f->variance, VARIANCE_MIN, VARIANCE_MAX);
}

static int per_cent(int part, int all) {
#if BUG == 2
    return part * 100 / all;
#else
    return all == 0 ? 0 : part * 100 / all;
#endif
}

int main(void) {
    struct filter f = {0.0, 10.0};
    for (;;) {
        int raw = __VERIFIER_nondet_int();
#if BUG == 3
        int centimetres = raw * 100;
#else
        int centimetres = clamp(raw, -500, 9000) * 100;
#endif
        predict(&f);
        correct(&f, centimetres / 100.0);
        assert(f.variance >= VARIANCE_MIN && f.variance <= VARIANCE_MAX);
        assert(f.height >= -500.0 && f.height <= 9000.0);
        int share = per_cent((int)f.variance, (int)f.height);
        if (share > 100)
            f.variance = VARIANCE_MAX;
    }
}
