//! run: 0 x 1 0 0 5
//! run: 1
// A _Bool takes one byte and can be reached through pointers.
#include <stdio.h>

struct s { _Bool a; char c; _Bool b[3]; };

static void flip(_Bool *b) { *b = !*b; }

int main(void) {
    struct s s = {1, 'x', {0, 1, 0}};
    flip(&s.a);
    flip(&s.b[1]);
    flip(s.b);
    printf("%d %c %d %d %d %d\n", s.a, s.c, s.b[0], s.b[1], s.b[2], (int)sizeof s);
    printf("%d\n", ((unsigned char *)&s)[2]);
    return 0;
}
