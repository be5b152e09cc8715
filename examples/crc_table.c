// CRC-16/CCITT with a table that is made at the start, and a self-test against the bit-by-bit form.
// BUG 1: array-bounds: the table is filled with one entry too many
// BUG 2: unreach-call: the table's form forgets to shift the remainder
// BUG 3: shift-range: the table's index is shifted by its width
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#ifndef BUG
#define BUG 0
#endif

#define POLYNOMIAL 0x1021u

extern unsigned char __VERIFIER_nondet_uchar(void);

static uint16_t table[256];

static uint16_t crc_byte(uint16_t crc, uint8_t byte) {
    crc ^= (uint16_t)(byte << 8);
    for (int bit = 0; bit < 8; bit++) {
        if (crc & 0x8000u)
            crc = (uint16_t)(crc << 1 ^ POLYNOMIAL);
        else
            crc = (uint16_t)(crc << 1);
    }
    return crc;
}

static void crc_init(void) {
#if BUG == 1
    for (unsigned i = 0; i <= 256; i++)
#else
    for (unsigned i = 0; i < 256; i++)
#endif
        table[i] = crc_byte(0, (uint8_t)i);
}

static uint16_t crc_update(uint16_t crc, uint8_t byte) {
#if BUG == 3
    uint8_t index = (uint8_t)((unsigned)crc >> (byte == 0xff ? 32 : 8) ^ byte);
#else
    uint8_t index = (uint8_t)(crc >> 8 ^ byte);
#endif
#if BUG == 2
    return crc ^ table[index];
#else
    return (uint16_t)(crc << 8 ^ table[index]);
#endif
}

static uint16_t crc_of(const uint8_t *data, size_t length) {
    uint16_t crc = 0xffff;
    for (size_t i = 0; i < length; i++)
        crc = crc_update(crc, data[i]);
    return crc;
}

int main(void) {
    static const uint8_t check[] = {'1', '2', '3', '4', '5', '6', '7', '8', '9'};
    uint8_t frame[6];

    crc_init();
    assert(crc_of(check, sizeof check) == 0x29b1);

    for (size_t i = 0; i < 4; i++)
        frame[i] = __VERIFIER_nondet_uchar();
    uint16_t crc = crc_of(frame, 4);
    frame[4] = (uint8_t)(crc >> 8);
    frame[5] = (uint8_t)crc;
    assert(frame[4] == (crc >> 8));
    return crc_of(frame, sizeof frame) == 0 ? 0 : 1;
}
