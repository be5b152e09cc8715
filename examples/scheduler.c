// A cooperative scheduler: a table of tasks with periods, run from a tick counter that wraps around.
// BUG 1: null-deref: a slot whose task was removed is called all the same
// BUG 2: array-bounds: one task more than there are slots is added
// BUG 3: unreach-call: a task that is late is run twice in one tick
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef BUG
#define BUG 0
#endif

#define SLOTS 4
#define TIMER (*(volatile uint16_t *)0x40000024u)

typedef void (*task_fn)(void);

struct task {
    task_fn run;
    uint16_t period;
    uint16_t next;
};

static struct task tasks[SLOTS];
static unsigned used;
static unsigned runs;
static unsigned blinks, samples;

static void blink(void) {
    blinks++;
}

static void sample(void) {
    samples++;
}

static bool add_task(task_fn run, uint16_t period, uint16_t now) {
#if BUG == 2
    if (used > SLOTS)
#else
    if (used >= SLOTS)
#endif
        return false;
    tasks[used].run = run;
    tasks[used].period = period;
    tasks[used].next = (uint16_t)(now + period);
    used++;
    return true;
}

static void remove_task(unsigned slot) {
    if (slot < used)
        tasks[slot].run = NULL;
}

static bool is_due(const struct task *t, uint16_t now) {
    return (int16_t)(uint16_t)(now - t->next) >= 0;
}

static void run_tick(uint16_t now) {
    runs = 0;
    for (unsigned i = 0; i < used && i < SLOTS; i++) {
        struct task *t = &tasks[i];
#if BUG != 1
        if (!t->run)
            continue;
#endif
#if BUG == 3
        while (is_due(t, now) && runs <= SLOTS) {
#else
        if (is_due(t, now)) {
#endif
            t->next = (uint16_t)(t->next + t->period);
            t->run();
            runs++;
        }
    }
    assert(runs <= SLOTS);
}

int main(void) {
    uint16_t now = TIMER;
    add_task(blink, 500, now);
    add_task(sample, 10, now);
    add_task(blink, 1000, now);
    add_task(sample, 20, now);
    add_task(blink, 2000, now);
    for (;;) {
        now = TIMER;
        run_tick(now);
        if (samples > 1000 && blinks > 10)
            remove_task(1);
    }
}
