// Property: div-by-zero
// The mean of the valid samples of a sensor.
extern int __VERIFIER_nondet_int(void);

#define SAMPLES 4
#define INVALID (-1)

static int samples[SAMPLES];

static int is_valid(int sample)
{
    return sample >= 0 && sample < 4096;
}

static int acquire(void)
{
    int good = 0;
    for (int i = 0; i < SAMPLES; i++) {
        int raw = __VERIFIER_nondet_int();
        if (is_valid(raw)) {
            samples[i] = raw;
            good++;
        } else {
            samples[i] = INVALID;
        }
    }
    return good;
}

static int mean(int good)
{
    int sum = 0;
    for (int i = 0; i < SAMPLES; i++) {
        if (samples[i] != INVALID)
            sum += samples[i];
    }
    return sum / good;
}

int main(void)
{
    int good = acquire();
    if (good < 0) // FAULT: good < 1
        return 1;
    int value = mean(good);
    return value > 2048;
}
