//! run: 1 7 4095 65535
//! run: 0 2 904 65534 4
// Bit-fields keep as many bits as they were given.
#include <stdio.h>

struct flags {
    unsigned a : 1;
    unsigned b : 3;
    unsigned c : 12;
    unsigned d : 16;
};

int main(void) {
    struct flags f = {1, 7, 4095, 65535};
    printf("%u %u %u %u\n", f.a, f.b, f.c, f.d);
    f.a++;
    f.b += 3;
    f.c = 5000;
    f.d--;
    printf("%u %u %u %u %d\n", f.a, f.b, f.c, f.d, (int)sizeof f);
    return 0;
}
