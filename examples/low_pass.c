// A first-order filter for a sensor, with a moving average behind it and a limit for the step.
// BUG 1: unreach-call: the old value is kept whole, so that the filter adds up
// BUG 2: array-bounds: the index into the window is compared too late
// BUG 3: div-by-zero: the average of an empty window is asked for
#include <assert.h>
#include <stdint.h>

#ifndef BUG
#define BUG 0
#endif

#define SENSOR (*(volatile uint16_t *)0x4001244cu)
#define OUTPUT (*(volatile uint16_t *)0x40007408u)

#define WINDOW 8

static float window[WINDOW];
static unsigned position, filled;

static float low_pass(float previous, float input) {
#if BUG == 1
    return previous + input * 0.25f;
#else
    return previous * 0.75f + input * 0.25f;
#endif
}

static void push(float value) {
#if BUG == 2
    window[position++] = value;
    if (position > WINDOW)
        position = 0;
#else
    window[position++] = value;
    if (position == WINDOW)
        position = 0;
#endif
    if (filled < WINDOW)
        filled++;
}

static unsigned per_sample(unsigned total) {
    return total / filled;
}

int main(void) {
    float filtered = 0.0f;
#if BUG == 3
    unsigned budget = per_sample(800);
#else
    unsigned budget = 800;
#endif
    for (;;) {
        uint16_t raw = SENSOR & 0x0fffu;
        float volts = (float)raw * (3.3f / 4095.0f);
        filtered = low_pass(filtered, volts);
        assert(filtered >= 0.0f && filtered < 5.0f);
        push(filtered);
        budget = per_sample(800);
        assert(budget >= 100);
        OUTPUT = (uint16_t)(filtered * 800.0f);
    }
}
