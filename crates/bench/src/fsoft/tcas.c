// A traffic collision avoidance system, after the published description of its decisions: from what is measured of
// the own aircraft and of an intruder follows an advisory to climb, to descend, or none. The properties are the
// published ones ("Using Symbolic Execution for Verifying Safety-Critical Systems", Coen-Porisini and others, 2001):
// 1a alone, or with ANY all of them that the decisions have. With FAULT a climb is not preferred where the own
// aircraft cannot climb.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void abort(void);

#define LARGEST_RATE 600
#define LEAST_DISTANCE 600
#define LEAST_SEPARATION 300
#define BIAS 100
#define HIGHEST 100000

enum advisory { NONE, CLIMB, DESCEND };
enum intention { UNKNOWN, NO_CLIMB, NO_DESCENT };
enum equipment { TRANSPONDER, AVOIDANCE, OTHER };

// What is measured, in feet and feet per minute.
int own_altitude, own_rate;
int intruder_altitude;
int distance;
// How far apart both will be after a climb, and after a descent.
int after_climb, after_descent;
int layer;
int is_confident, is_report_valid, is_climb_inhibited;
enum intention intention;
enum equipment equipment;

// The separation that is wanted in a layer of the air.
int wanted;

static int input(int low, int high) {
    int value = __VERIFIER_nondet_int();
    if (value < low || value > high)
        abort();
    return value;
}

static int threshold(void) {
    switch (layer) {
    case 0:
        return 400;
    case 1:
        return 500;
    case 2:
        return 640;
    default:
        return 740;
    }
}

static void measure(void) {
    own_altitude = input(0, HIGHEST);
    own_rate = input(-10000, 10000);
    intruder_altitude = input(0, HIGHEST);
    distance = input(0, HIGHEST);
    after_climb = input(0, HIGHEST);
    after_descent = input(0, HIGHEST);
    layer = input(0, 3);
    is_confident = __VERIFIER_nondet_int() != 0;
    is_report_valid = __VERIFIER_nondet_int() != 0;
    is_climb_inhibited = __VERIFIER_nondet_int() != 0;
    intention = input(UNKNOWN, NO_DESCENT);
    equipment = input(TRANSPONDER, OTHER);
    wanted = threshold();
}

static int is_below(void) {
    return own_altitude < intruder_altitude;
}

static int is_above(void) {
    return intruder_altitude < own_altitude;
}

// A climb is as good as this for the comparison with a descent.
static int value_of_climb(void) {
#ifdef FAULT
    if (is_climb_inhibited)
        return after_climb - BIAS;
    return after_climb;
#else
    if (is_climb_inhibited)
        return after_climb + BIAS;
    return after_climb;
#endif
}

static int is_climb_preferred(void) {
    int climb = value_of_climb();
    int descent = after_descent;
    return climb > descent;
}

// Whether a climb is possible without crossing the intruder's altitude, or worth it.
static int may_climb(void) {
    if (is_climb_preferred()) {
        int below = is_below();
        if (!below)
            return 1;
        return after_descent < wanted;
    } else {
        int above = is_above();
        int far = distance >= LEAST_SEPARATION;
        return above && far && after_climb >= wanted;
    }
}

static int may_descend(void) {
    if (is_climb_preferred()) {
        int below = is_below();
        int far = distance >= LEAST_SEPARATION;
        return below && far && after_descent >= wanted;
    } else {
        int above = is_above();
        if (!above)
            return 1;
        return after_climb >= wanted;
    }
}

static int is_enabled(void) {
    if (!is_confident)
        return 0;
    if (own_rate > LARGEST_RATE)
        return 0;
    return distance > LEAST_DISTANCE;
}

static int is_uncoordinated(void) {
    int equipped = equipment == AVOIDANCE;
    if (!equipped)
        return 1;
    return is_report_valid && intention == UNKNOWN;
}

static enum advisory decide(void) {
    int climb, descend;
    if (!is_enabled())
        return NONE;
    if (!is_uncoordinated())
        return NONE;
    climb = may_climb();
    if (climb)
        climb = is_below();
    descend = may_descend();
    if (descend)
        descend = is_above();
    if (climb && descend)
        return NONE;
    if (climb)
        return CLIMB;
    if (descend)
        return DESCEND;
    return NONE;
}

int main(void) {
    enum advisory advisory;
    measure();
    advisory = decide();
    // 1a: no descent where only a climb separates enough.
    if (after_climb >= wanted && after_descent < wanted)
        assert(advisory != DESCEND);
#ifdef ANY
    // 1b: no climb where only a descent separates enough.
    if (after_climb < wanted && after_descent >= wanted)
        assert(advisory != CLIMB);
    // 2a: where neither separates enough, no descent if a climb separates more.
    if (after_climb < wanted && after_descent < wanted && after_climb > after_descent)
        assert(advisory != DESCEND);
    // 3b: where both separate enough, no climb from below.
    if (after_climb >= wanted && after_descent >= wanted && is_below())
        assert(advisory != CLIMB);
    // 4a: no descent that crosses the intruder's altitude.
    if (is_below())
        assert(advisory != DESCEND);
    // 4b
    if (is_above())
        assert(advisory != CLIMB);
    // 5a: no descent where a climb separates more.
    if (after_climb > after_descent)
        assert(advisory != DESCEND);
#endif
    return 0;
}
