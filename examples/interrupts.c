// An interrupt handler and a main loop share flags and a counter: the handler sets, the loop takes with interrupts off.
// BUG 1: no-data-race: the loop takes the ticks while the handler may count
// BUG 2: unreach-call: ticks are cleared that were not taken
// BUG 3: div-by-zero: the rate is computed when no tick was seen
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#ifndef BUG
#define BUG 0
#endif

#define TICKS 3

static pthread_mutex_t irq_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned pending;
static unsigned taken;

static void irq_disable(void) {
    pthread_mutex_lock(&irq_lock);
}

static void irq_enable(void) {
    pthread_mutex_unlock(&irq_lock);
}

/* The handler of the timer, as the hardware runs it beside the main loop. */
static void *timer_irq(void *unused) {
    (void)unused;
    for (int i = 0; i < TICKS; i++) {
        irq_disable();
        pending++;
        irq_enable();
    }
    return NULL;
}

static unsigned take(void) {
    unsigned count;
#if BUG == 1
    count = pending;
    pending = 0;
#elif BUG == 2
    irq_disable();
    count = pending;
    irq_enable();
    irq_disable();
    pending = 0;
    irq_enable();
#else
    irq_disable();
    count = pending;
    pending = 0;
    irq_enable();
#endif
    return count;
}

int main(void) {
    pthread_t irq;
    if (pthread_create(&irq, NULL, timer_irq, NULL) != 0)
        return 1;
    taken += take();
    taken += take();
#if BUG == 3
    unsigned rate = 1000u / taken;
#else
    unsigned rate = taken ? 1000u / taken : 0;
#endif
    pthread_join(irq, NULL);
    taken += take();
    assert(taken == TICKS);
    return rate > 1000;
}
