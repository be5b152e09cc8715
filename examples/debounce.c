// Eight buttons on a port, each with a counter that must agree for some samples before the button's state changes.
// BUG 1: array-bounds: the loop over buttons includes the number behind the last
// BUG 2: unreach-call: a button's state changes one sample too late
// BUG 3: shift-range: the mask of a long press is shifted by the number of ticks
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef BUG
#define BUG 0
#endif

#define PORT (*(volatile uint8_t *)0x40010808u)
#define LEDS (*(volatile uint8_t *)0x4001080cu)

#define BUTTONS 8
#define STABLE 4

static uint8_t counters[BUTTONS];
static uint8_t state;
static uint16_t held;

static bool is_pressed(uint8_t sample, unsigned button) {
    return (sample >> button) & 1u;
}

static uint8_t debounce(uint8_t sample) {
    uint8_t changed = 0;
#if BUG == 1
    for (unsigned i = 0; i <= BUTTONS; i++) {
#else
    for (unsigned i = 0; i < BUTTONS; i++) {
#endif
        if (is_pressed(sample, i) == is_pressed(state, i)) {
            counters[i] = 0;
            continue;
        }
        counters[i]++;
        assert(counters[i] <= STABLE);
#if BUG == 2
        if (counters[i] > STABLE) {
#else
        if (counters[i] == STABLE) {
#endif
            counters[i] = 0;
            changed |= (uint8_t)(1u << i);
        }
    }
    state ^= changed;
    return changed;
}

static uint32_t hold_mask(uint8_t changed) {
    if (changed != 0 || state == 0)
        held = 0;
    else if (held < 31)
        held++;
#if BUG == 3
    else
        held = 32;
#endif
    return UINT32_C(1) << held;
}

int main(void) {
    for (;;) {
        uint8_t changed = debounce(PORT);
        uint32_t mask = hold_mask(changed);
        LEDS = (uint8_t)(state | (mask >> 24));
    }
}
