//! run: 2 6 102 3040506
//! run: fe ff
// Bytes of any object can be read through unsigned char.
#include <stdio.h>
#include <string.h>

struct s { short a; int b; };

int main(void) {
    struct s s;
    memset(&s, 0xee, sizeof s);
    s.a = 0x0102;
    s.b = 0x03040506;
    unsigned char *p = (unsigned char *)&s, copy[sizeof s];
    for (unsigned i = 0; i < sizeof s; i++)
        copy[i] = p[i];
    struct s t;
    memcpy(&t, copy, sizeof t);
    printf("%x %x %x %x\n", p[0], p[4], t.a, t.b);
    int n = -2;
    printf("%x %x\n", *(unsigned char *)&n, ((unsigned char *)&n)[3]);
    return 0;
}
