// I2C by two port pins: start, bytes with acknowledgement, stop; clock stretching has a limit.
// BUG 1: unreach-call: the bus is not released when a byte is refused
// BUG 2: shift-range: the bits of a byte are counted down too far
// BUG 3: array-bounds: one byte more is read than there is room for
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef BUG
#define BUG 0
#endif

#define PIN (*(volatile uint8_t *)0x50000510u)
#define DIR (*(volatile uint8_t *)0x50000514u)
#define SDA 0x01u
#define SCL 0x02u
#define STRETCH 200

static bool is_started;
static uint8_t direction;

static void pull(uint8_t line) {
    direction |= line;
    DIR = direction;
}

static void release(uint8_t line) {
    direction &= (uint8_t)~line;
    DIR = direction;
}

static bool clock_high(void) {
    release(SCL);
    for (int i = 0; i < STRETCH; i++)
        if (PIN & SCL)
            return true;
    return false;
}

static void start(void) {
    release(SDA);
    clock_high();
    pull(SDA);
    pull(SCL);
    is_started = true;
}

static void stop(void) {
    pull(SDA);
    clock_high();
    release(SDA);
    is_started = false;
}

static bool write_byte(uint8_t byte) {
#if BUG == 2
    for (int bit = 8; bit >= -1; bit--) {
#else
    for (int bit = 7; bit >= 0; bit--) {
#endif
        if (byte & (1u << bit))
            release(SDA);
        else
            pull(SDA);
        if (!clock_high())
            return false;
        pull(SCL);
    }
    release(SDA);
    bool acknowledged = clock_high() && !(PIN & SDA);
    pull(SCL);
    return acknowledged;
}

static uint8_t read_byte(bool last) {
    uint8_t byte = 0;
    for (int bit = 0; bit < 8; bit++) {
        clock_high();
        byte = (uint8_t)(byte << 1 | (PIN & SDA));
        pull(SCL);
    }
    if (!last)
        pull(SDA);
    clock_high();
    pull(SCL);
    release(SDA);
    return byte;
}

static bool read_registers(uint8_t address, uint8_t first, uint8_t *to, unsigned count) {
    start();
    if (!write_byte((uint8_t)(address << 1)) || !write_byte(first)) {
#if BUG != 1
        stop();
#endif
        return false;
    }
    start();
    if (!write_byte((uint8_t)(address << 1 | 1u))) {
        stop();
        return false;
    }
    for (unsigned i = 0; i < count; i++)
        to[i] = read_byte(i + 1 == count);
    stop();
    return true;
}

int main(void) {
    uint8_t sample[6];
    unsigned good = 0;
    for (;;) {
#if BUG == 3
        bool ok = read_registers(0x68, 0x3b, sample, sizeof sample + 1);
#else
        bool ok = read_registers(0x68, 0x3b, sample, sizeof sample);
#endif
        assert(!is_started);
        if (ok && sample[0] != 0xff && good < 1000u)
            good++;
    }
}
