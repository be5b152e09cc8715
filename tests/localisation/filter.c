// Property: unreach-call
// A low-pass filter in fixed point (8 fractional bits): the output stays in the range of the inputs.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

#define SHIFT 8
#define ONE (1 << SHIFT)
#define ALPHA 64
#define LOWEST (-1000)
#define HIGHEST 1000

struct filter {
    int state;
    int primed;
};

static int clamp(int x)
{
    if (x < LOWEST)
        return LOWEST;
    if (x > HIGHEST)
        return HIGHEST;
    return x;
}

static int filter_step(struct filter *f, int input)
{
    int x = clamp(input) * ONE;
    if (!f->primed) {
        f->state = x;
        f->primed = 1;
    }
    int difference = x + f->state; // FAULT: x - f->state
    f->state += difference / ONE * ALPHA;
    return f->state / ONE;
}

int main(void)
{
    struct filter f = { 0, 0 };
    for (int i = 0; i < 3; i++) {
        int y = filter_step(&f, __VERIFIER_nondet_int());
        assert(y >= LOWEST && y <= HIGHEST);
    }
    return 0;
}
