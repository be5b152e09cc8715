// A ring of descriptors that a network controller fills: owner bits, buffers, statistics; the driver polls it.
// BUG 1: array-bounds: the ring's index wraps around one too late
// BUG 2: valid-deref: the length that the controller reports is not compared with the buffer's size
// BUG 3: unreach-call: the length is taken from the wrong bits of the status
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifndef BUG
#define BUG 0
#endif

#define RING 4u
#define FRAME 64u

#define OWN 0x80000000u
#define ERROR 0x8000u
#define LENGTH(status) ((status) >> 16 & 0x3fffu)

struct dma_registers {
    volatile uint32_t status[RING];
    volatile uint32_t poll;
};

#define DMA ((struct dma_registers *)0x40029000u)

struct descriptor {
    uint32_t status;
    uint8_t buffer[FRAME];
};

static struct descriptor ring[RING];
static unsigned current;
static uint8_t frame[FRAME];
static uint32_t good, bad;

static void ring_init(void) {
    for (unsigned i = 0; i < RING; i++) {
        ring[i].status = OWN;
        memset(ring[i].buffer, 0, sizeof ring[i].buffer);
    }
    current = 0;
}

static bool receive(uint32_t *length) {
    struct descriptor *d = &ring[current];
    uint32_t status = DMA->status[current];
    if (status & OWN)
        return false;
#if BUG == 3
    *length = status >> 8 & 0x3fu;
#else
    *length = LENGTH(status);
#endif
#if BUG == 2
    bool is_good = !(status & ERROR);
#else
    bool is_good = !(status & ERROR) && *length <= FRAME;
#endif
    if (is_good) {
        memcpy(frame, d->buffer, *length);
        good++;
    } else {
        bad++;
    }
    d->status = OWN;
    DMA->poll = 1;
#if BUG == 1
    current = current == RING ? 0 : current + 1;
#else
    current = current + 1 == RING ? 0 : current + 1;
#endif
    assert(*length == LENGTH(status));
    return is_good;
}

int main(void) {
    uint32_t bytes = 0;
    ring_init();
    for (;;) {
        uint32_t length;
        if (receive(&length)) {
            assert(length <= FRAME);
            bytes += length;
        }
    }
}
