//! run: 44 4464 255 705032704
//! run: -12 13392 255 -589934592
//! run: -1 -1 255 255
//! run: 1 4
// Assignments convert to the type on the left, also when they are compound.
#include <stdio.h>

int main(void) {
    signed char c = 300;
    short s = 70000;
    unsigned char u = -1;
    int i = 5000000000ll;
    printf("%d %d %d %d\n", c, s, u, i);
    c += 200;
    s *= 3;
    u -= 256;
    i += 3000000000u;
    printf("%d %d %d %d\n", c, s, u, i);
    int chained = u = s = c = 511;
    printf("%d %d %d %d\n", c, s, u, chained);
    _Bool b = 256;
    unsigned short us = 65530;
    us += 10ll;
    printf("%d %d\n", b, us);
    return 0;
}
