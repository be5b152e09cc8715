// Property: unreach-call
// An advisory as of a collision avoidance system: upward only if that gives at least as much separation.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern int __VERIFIER_nondet_bool(void);

#define OLEV 600
#define MIN_SEPARATION 300

static int own_altitude, other_altitude;
static int up_separation, down_separation;
static int high_confidence, climb_inhibit;
static int own_rate;

static int inhibit_biased_climb(void)
{
    return climb_inhibit ? up_separation + MIN_SEPARATION : up_separation;
}

static int own_below_threat(void)
{
    return own_altitude < other_altitude;
}

static int own_above_threat(void)
{
    return other_altitude < own_altitude;
}

static int upward_preferred(void)
{
    return inhibit_biased_climb() > down_separation;
}

static int advisory(void)
{
    int enabled = high_confidence && own_rate <= OLEV;
    if (!enabled)
        return 0;
    int need_up = upward_preferred() && own_below_threat(); // FAULT: own_above_threat()
    int need_down = !upward_preferred() && own_below_threat();
    if (need_up && need_down)
        return 0;
    if (need_up)
        return 1;
    if (need_down)
        return -1;
    return 0;
}

static int small(void)
{
    int n = __VERIFIER_nondet_int();
    return n < 0 || n > 2000 ? 500 : n;
}

int main(void)
{
    own_altitude = small();
    other_altitude = small();
    up_separation = small();
    down_separation = small();
    own_rate = small();
    high_confidence = __VERIFIER_nondet_bool();
    climb_inhibit = 0;
    int sense = advisory();
    if (sense == 1) {
        assert(up_separation > down_separation);
        assert(own_above_threat());
    }
    return 0;
}
