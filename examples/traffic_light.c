// The lights of a crossing with a button for pedestrians: a table of states, driven by a tick and an input port.
// BUG 1: array-bounds: the state behind the last one is taken from the table
// BUG 2: unreach-call: both directions are green when the button is pressed while the lights change
// BUG 3: null-deref: a state without an action is entered through its pointer
#include <assert.h>
#include <stdint.h>

#ifndef BUG
#define BUG 0
#endif

#define GPIO_IN (*(volatile uint32_t *)0x40020010u)
#define GPIO_OUT (*(volatile uint32_t *)0x40020014u)
#define BUTTON 0x1u

enum light { RED, YELLOW, GREEN };
enum state { CARS_GO, CARS_STOP, WALK, WALK_ENDS, CARS_READY, STATES };

struct step {
    enum light cars;
    enum light people;
    uint16_t ticks; /* how long the state lasts */
    enum state next;
    void (*enter)(void);
};

static unsigned walks;
static unsigned beeps;

static void count_walk(void) {
    if (walks < 1000u)
        walks++;
}

static void beep(void) {
    beeps = (beeps + 1u) & 0xffu;
}

static const struct step steps[STATES] = {
    [CARS_GO] = {GREEN, RED, 50, CARS_STOP, 0},
    [CARS_STOP] = {YELLOW, RED, 5, WALK, 0},
    [WALK] = {RED, GREEN, 30, WALK_ENDS, count_walk},
    [WALK_ENDS] = {RED, RED, 10, CARS_READY, beep},
#if BUG == 1
    [CARS_READY] = {YELLOW, RED, 3, STATES, 0},
#else
    [CARS_READY] = {YELLOW, RED, 3, CARS_GO, 0},
#endif
};

struct crossing {
    enum state state;
    uint16_t left;
    int requested;
};

static struct crossing crossing;
static enum light cars = GREEN, people = RED;

static void enter(struct crossing *c, enum state next) {
    const struct step *step = &steps[next];
    c->state = next;
    c->left = step->ticks;
    cars = step->cars;
#if BUG == 2
    if (!c->requested || people == GREEN)
        people = step->people;
    else
        people = GREEN;
#else
    people = step->people;
#endif
#if BUG != 3
    if (step->enter)
#endif
        step->enter();
}

static void tick(struct crossing *c, uint32_t inputs) {
    if (inputs & BUTTON)
        c->requested = 1;
    if (c->left > 0) {
        c->left--;
        return;
    }
    if (c->state == CARS_GO && !c->requested)
        return;
    enter(c, steps[c->state].next);
    if (c->state == WALK)
        c->requested = 0;
}

int main(void) {
    crossing.state = CARS_GO;
    crossing.left = steps[CARS_GO].ticks;
    for (;;) {
        tick(&crossing, GPIO_IN);
        assert(!(cars == GREEN && people == GREEN));
        assert(crossing.state < STATES);
        GPIO_OUT = 1u << cars | 1u << (3 + people);
    }
}
