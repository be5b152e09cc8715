//! run: 7fffabcd cd
//! run: 1
// Members of a union have one address.
#include <stdio.h>

union u { int i; unsigned short s; char c; };

int main(void) {
    union u u;
    int *i = &u.i;
    unsigned short *s = &u.s;
    *i = 0x7fff1234;
    *s = 0xabcd;
    printf("%x %x\n", u.i, (unsigned char)u.c);
    printf("%d\n", (void *)i == (void *)s && (void *)s == (void *)&u);
    return 0;
}
