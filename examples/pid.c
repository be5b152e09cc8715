// A PID controller for a heater: measured values in tenths of a degree, output in per cent, limits on all that grows.
// BUG 1: unreach-call: the output is limited before the feed-forward is added
// BUG 2: div-by-zero: the period between two measurements may be zero
// BUG 3: no-overflow: the integer form of the error is multiplied before it is limited
#include <assert.h>
#include <stdint.h>

#ifndef BUG
#define BUG 0
#endif

extern int __VERIFIER_nondet_int(void);

#define ADC (*(volatile uint16_t *)0x40012440u)
#define PWM (*(volatile uint32_t *)0x40000434u)
#define TIMER (*(volatile uint16_t *)0x40000424u)

struct pid {
    float kp, ki, kd;
    float low, high;
    float integral;
    float previous;
};

static float clamp(float x, float low, float high) {
    if (x < low)
        return low;
    if (x > high)
        return high;
    return x;
}

static void pid_init(struct pid *c) {
    c->kp = 2.0f;
    c->ki = 0.5f;
    c->kd = 0.125f;
    c->low = 0.0f;
    c->high = 100.0f;
    c->integral = 0.0f;
    c->previous = 0.0f;
}

static float pid_step(struct pid *c, float target, float measured, float period) {
    float error = target - measured;
    float slope = (error - c->previous) / period;
    c->previous = error;
    c->integral = clamp(c->integral + c->ki * error * period, c->low, c->high);
    float output = c->kp * error + c->integral + c->kd * slope;
#if BUG == 1
    return clamp(output, c->low, c->high) + 0.01f * target;
#else
    return clamp(output + 0.01f * target, c->low, c->high);
#endif
}

/* Tenths of a degree, as the display wants them: the sensor has 12 bits for 0 to 409.5 degrees. */
static int16_t degrees(uint16_t raw) {
    return (int16_t)(raw & 0x0fffu);
}

static int32_t smooth(int32_t old, int32_t sample) {
#if BUG == 3
    int32_t factor = 1000000;
    return (old * factor + sample) / (factor + 1);
#else
    return (old * 7 + sample) / 8;
#endif
}

int main(void) {
    struct pid heater;
    int32_t filtered = 0;
    uint16_t last = TIMER;

    pid_init(&heater);
    for (;;) {
        uint16_t now = TIMER;
        uint16_t elapsed = (uint16_t)(now - last);
        last = now;
#if BUG == 2
        uint16_t rate = (uint16_t)(50000u / elapsed);
#else
        uint16_t rate = elapsed ? (uint16_t)(50000u / elapsed) : 0;
#endif
        if (rate == 0)
            rate = 1;
        filtered = smooth(filtered, degrees(ADC));
        assert(filtered >= 0 && filtered <= 4095);
        float output = pid_step(&heater, 80.0f, (float)filtered / 10.0f, 1.0f / (float)rate);
        assert(output >= 0.0f && output <= 100.0f);
        PWM = (uint32_t)(output * 10.0f);
    }
}
