// A ring buffer between a serial line and a command loop, as drivers have it: bytes come in, lines go out.
// BUG 1: valid-deref: the write position wraps around one too late
// BUG 2: unreach-call: the count does not follow when the oldest byte is dropped
// BUG 3: valid-deref: a line's terminator is written behind the caller's buffer
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#ifndef BUG
#define BUG 0
#endif

#define CAPACITY 16u

struct ring {
    uint8_t data[CAPACITY];
    unsigned head; /* where the next byte is written */
    unsigned tail; /* where the oldest byte is */
    unsigned count;
    unsigned dropped;
};

static struct ring rx;

static void ring_init(struct ring *r) {
    r->head = 0;
    r->tail = 0;
    r->count = 0;
    r->dropped = 0;
}

static bool ring_full(const struct ring *r) {
    return r->count == CAPACITY;
}

static unsigned next(unsigned position) {
#if BUG == 1
    return position == CAPACITY ? 0 : position + 1;
#else
    return position + 1 == CAPACITY ? 0 : position + 1;
#endif
}

static bool ring_get(struct ring *r, uint8_t *out) {
    if (r->count == 0)
        return false;
    *out = r->data[r->tail];
    r->tail = next(r->tail);
    r->count--;
    return true;
}

/* The newest bytes count: where there is no room, the oldest one goes. */
static void ring_put(struct ring *r, uint8_t byte) {
    if (ring_full(r)) {
        r->tail = next(r->tail);
        r->dropped++;
#if BUG != 2
        r->count--;
#endif
    }
    r->data[r->head] = byte;
    r->head = next(r->head);
    r->count++;
    assert(r->count <= CAPACITY);
}

/* Takes a line's bytes out; returns its length. */
static unsigned ring_line(struct ring *r, char *line, unsigned size) {
    unsigned length = 0;
    uint8_t byte;
#if BUG == 3
    while (length < size && ring_get(r, &byte)) {
#else
    while (length + 1 < size && ring_get(r, &byte)) {
#endif
        if (byte == '\n')
            break;
        line[length++] = (char)byte;
    }
    line[length] = '\0';
    return length;
}

int main(void) {
    char line[8];
    int c;

    ring_init(&rx);
    while ((c = getchar()) != EOF) {
        ring_put(&rx, (uint8_t)c);
        if (c == '\n' || ring_full(&rx)) {
            unsigned length = ring_line(&rx, line, sizeof line);
            assert(length < sizeof line);
            if (length > 0)
                puts(line);
        }
    }
    printf("%u bytes were dropped\n", rx.dropped);
    return 0;
}
