// A binary heap of events by time, in an array of fixed size: push, pop, and a simulation that runs from it.
// BUG 1: array-bounds: a full heap takes one more event
// BUG 2: array-bounds: the right child is looked at although there is none
// BUG 3: unreach-call: the size is not lowered when the last event is taken
#include <assert.h>
#include <stdbool.h>

#ifndef BUG
#define BUG 0
#endif

#define ROOM 8

extern unsigned __VERIFIER_nondet_uint(void);

struct event {
    unsigned time;
    int kind;
};

static struct event heap[ROOM];
static int size;

static void swap(int i, int j) {
    struct event e = heap[i];
    heap[i] = heap[j];
    heap[j] = e;
}

static bool push(unsigned time, int kind) {
#if BUG == 1
    if (size > ROOM)
#else
    if (size >= ROOM)
#endif
        return false;
    int i = size++;
    heap[i].time = time;
    heap[i].kind = kind;
    while (i > 0 && heap[(i - 1) / 2].time > heap[i].time) {
        swap(i, (i - 1) / 2);
        i = (i - 1) / 2;
    }
    return true;
}

static bool pop(struct event *out) {
    if (size == 0)
        return false;
    *out = heap[0];
#if BUG == 3
    if (size > 1)
        size--;
#else
    size--;
#endif
    heap[0] = heap[size];
    int i = 0;
    for (;;) {
        int child = 2 * i + 1;
        if (child >= size)
            break;
#if BUG == 2
        if (heap[child + 1].time < heap[child].time)
#else
        if (child + 1 < size && heap[child + 1].time < heap[child].time)
#endif
            child++;
        if (heap[i].time <= heap[child].time)
            break;
        swap(i, child);
        i = child;
    }
    return true;
}

int main(void) {
    unsigned handled = 0;
    push(0, 1);
    while (handled < 1000) {
        struct event e;
        int before = size;
        if (!pop(&e))
            break;
        assert(size == before - 1);
        handled++;
        unsigned more = __VERIFIER_nondet_uint() % 3u;
        for (unsigned i = 0; i < more; i++)
            push(e.time + 1u + __VERIFIER_nondet_uint() % 100u, (int)i);
        assert(size >= 0 && size <= ROOM);
    }
    return 0;
}
