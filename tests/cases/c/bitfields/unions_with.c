//! run: 1 1 1
//! run: 891a2b3d 3d 89
//! run: 0
// Bit-fields in a union are views of the same bits.
#include <stdio.h>

union word {
    unsigned whole;
    struct {
        unsigned sign_bit_low : 1;
        unsigned middle : 30;
        unsigned top : 1;
    } parts;
    struct {
        unsigned char b0, b1, b2, b3;
    } bytes;
};

int main(void) {
    union word w;
    w.whole = 0x80000003;
    printf("%u %u %u\n", w.parts.sign_bit_low, w.parts.middle, w.parts.top);
    w.parts.middle = 0x12345678 >> 2;
    printf("%x %x %x\n", w.whole, w.bytes.b0, w.bytes.b3);
    w.bytes.b3 = 0;
    printf("%u\n", w.parts.top);
    return 0;
}
