//! run: 8: a5 3c 00 00 ab 00 00 00
// Bit-fields fill their units from the low bits; a zero width starts a new one.
#include <stdio.h>
#include <string.h>

struct s {
    unsigned a : 4;
    unsigned b : 4;
    unsigned c : 8;
    unsigned : 0;
    unsigned d : 2;
    unsigned char e : 6;
};

int main(void) {
    struct s s;
    memset(&s, 0, sizeof s);
    s.a = 0x5;
    s.b = 0xa;
    s.c = 0x3c;
    s.d = 3;
    s.e = 0x2a;
    unsigned char *p = (unsigned char *)&s;
    printf("%d:", (int)sizeof s);
    for (unsigned i = 0; i < sizeof s; i++)
        printf(" %02x", p[i]);
    printf("\n");
    return 0;
}
