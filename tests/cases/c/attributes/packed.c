//! run: 7 5 4
//! run: 1020305 5
// Packed structs have no padding.
#include <stdio.h>

struct __attribute__((packed)) p { char c; int i; short s; };
struct q { char c; int i __attribute__((packed)); };

int main(void) {
    struct p p = {1, 0x01020304, 5};
    unsigned char *b = (unsigned char *)&p;
    printf("%d %d %d\n", (int)sizeof p, (int)sizeof(struct q), b[1]);
    p.i++;
    printf("%x %d\n", p.i, p.s);
    return 0;
}
