//! run: 1 66 132 A
//! run: 134 q
// Structs as arguments and results are copies.
#include <stdio.h>

typedef struct { long a, b, c, d; } Big;
typedef struct { char c; } Tiny;

static Big grow(Big b, Tiny t) {
    b.a += t.c;
    b.d = b.a * b.b;
    t.c = 0;
    return b;
}

static Tiny tiny(int c) {
    Tiny t = {c};
    return t;
}

int main(void) {
    Big b = {1, 2, 3, 4};
    Tiny t = tiny('A');
    Big r = grow(b, t);
    printf("%ld %ld %ld %c\n", b.a, r.a, r.d, t.c);
    printf("%ld %c\n", grow(grow(b, t), tiny(1)).d, tiny('q').c);
    return 0;
}
