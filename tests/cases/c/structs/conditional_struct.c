//! run: 3 2
//! run: 1 4
//! run: 2 4 7
// Structs as results of conditionals, commas and statement-like chains.
#include <stdio.h>

struct v { int x, y; };

static struct v make(int x, int y) { return (struct v){x, y}; }

int main(void) {
    struct v a = {1, 2}, b = {3, 4};
    for (int i = 0; i < 2; i++) {
        struct v c = i ? a : b;
        printf("%d %d\n", c.x, (i ? b : a).y);
    }
    struct v d = (a.x++, make(a.x, b.y));
    printf("%d %d %d\n", d.x, d.y, make(9, 8).x - make(1, 2).y);
    return 0;
}
