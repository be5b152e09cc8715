//! run: 4 3 2 1
//! run: 304 102
//! run: beef03ff
// The low byte comes first.
#include <stdio.h>

union view { unsigned int w; unsigned short h[2]; unsigned char b[4]; };

int main(void) {
    union view v = {0x01020304};
    printf("%x %x %x %x\n", v.b[0], v.b[1], v.b[2], v.b[3]);
    printf("%x %x\n", v.h[0], v.h[1]);
    v.h[1] = 0xbeef;
    v.b[0] = 0xff;
    printf("%x\n", v.w);
    return 0;
}
