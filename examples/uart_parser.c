// Frames from a serial line: a start byte, a length, the payload, a sum. Bytes come one at a time from the device.
// BUG 1: array-bounds: a frame's length is not compared with the room for its payload
// BUG 2: unreach-call: a frame is delivered although its sum is wrong
// BUG 3: uninitialised: the sum is never set before the first byte is added to it
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifndef BUG
#define BUG 0
#endif

#define UART_STATUS (*(volatile uint8_t *)0x4000c000u)
#define UART_DATA (*(volatile uint8_t *)0x4000c004u)
#define RX_READY 0x80u

#define START 0x7eu
#define PAYLOAD 32u

enum phase { WAIT, LENGTH, BODY, SUM };

struct parser {
    enum phase phase;
    uint8_t length;
    uint8_t used;
    uint8_t sum;
    uint8_t payload[PAYLOAD];
};

static uint16_t frames, errors;

static void parser_reset(struct parser *p) {
    p->phase = WAIT;
    p->length = 0;
    p->used = 0;
#if BUG != 3
    p->sum = 0;
#endif
}

/* Returns true when a frame is complete. */
static bool parser_feed(struct parser *p, uint8_t byte) {
    switch (p->phase) {
    case WAIT:
        if (byte == START) {
            parser_reset(p);
            p->phase = LENGTH;
        }
        break;
    case LENGTH:
#if BUG == 1
        if (byte == 0) {
#else
        if (byte == 0 || byte > PAYLOAD) {
#endif
            errors++;
            p->phase = WAIT;
            break;
        }
        p->length = byte;
        p->phase = BODY;
        break;
    case BODY:
        p->payload[p->used++] = byte;
        p->sum = (uint8_t)(p->sum + byte);
        if (p->used == p->length)
            p->phase = SUM;
        break;
    case SUM:
        p->phase = WAIT;
#if BUG != 2
        if (byte != p->sum) {
            errors++;
            break;
        }
#endif
        return true;
    }
    return false;
}

static uint8_t sum_of(const uint8_t *bytes, uint8_t length) {
    uint8_t sum = 0;
    for (uint8_t i = 0; i < length; i++)
        sum = (uint8_t)(sum + bytes[i]);
    return sum;
}

static void deliver(const struct parser *p, uint8_t received) {
    assert(p->length >= 1 && p->length <= PAYLOAD);
    assert(p->sum == received);
    frames++;
}

static uint8_t uart_read(void) {
    while (!(UART_STATUS & RX_READY)) {
    }
    return UART_DATA;
}

int main(void) {
    struct parser parser;
    parser_reset(&parser);
    for (;;) {
        uint8_t byte = uart_read();
        if (parser_feed(&parser, byte)) {
            deliver(&parser, byte);
            (void)sum_of(parser.payload, parser.length);
        }
    }
}
