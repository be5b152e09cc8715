// Property: unreach-call
// CRC-8 with the polynomial 0x07: a message with its checksum appended has the checksum 0.
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

typedef unsigned char u8;

static u8 crc8_update(u8 crc, u8 byte)
{
    crc ^= byte;
    for (int bit = 0; bit < 7; bit++) { // FAULT: bit < 8
        if (crc & 0x80)
            crc = (u8)((crc << 1) ^ 0x07);
        else
            crc = (u8)(crc << 1);
    }
    return crc;
}

static u8 crc8(const u8 *data, int length)
{
    u8 crc = 0;
    for (int i = 0; i < length; i++)
        crc = crc8_update(crc, data[i]);
    return crc;
}

int main(void)
{
    u8 frame[4];
    frame[0] = __VERIFIER_nondet_uchar();
    frame[1] = __VERIFIER_nondet_uchar();
    frame[2] = 0x5a;
    frame[3] = crc8(frame, 3);
    u8 known[2] = { 0x01, 0x00 };
    assert(crc8(known, 1) == 0x07);
    assert(crc8(frame, 4) == 0);
    return 0;
}
