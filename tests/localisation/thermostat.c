// Property: unreach-call
// A thermostat with hysteresis: the heater is off above the upper threshold.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

#define LOWER 180
#define UPPER 220
#define FROST 50

static int heater;
static int alarm_raised;
static int setpoint_offset;

static int read_temperature(void)
{
    int raw = __VERIFIER_nondet_int();
    if (raw < -200)
        raw = -200;
    if (raw > 800)
        raw = 800;
    return raw + setpoint_offset;
}

static void control(int temperature)
{
    if (temperature < LOWER)
        heater = 1;
    else if (temperature > UPPER + setpoint_offset * 2) // FAULT: temperature > UPPER
        heater = 0;
    alarm_raised = temperature < FROST;
}

int main(void)
{
    setpoint_offset = 5;
    for (int i = 0; i < 4; i++) {
        int temperature = read_temperature();
        control(temperature);
        if (temperature > UPPER)
            assert(heater == 0);
        if (temperature < FROST)
            assert(alarm_raised);
    }
    return 0;
}
