//! run: 3ff80000 0
//! run: 3
//! run: 0
// A double seen as two words.
#include <stdio.h>

union d { double x; unsigned w[2]; };

int main(void) {
    union d d = {.x = 1.5};
    printf("%x %x\n", d.w[1], d.w[0]);
    d.w[1] += 1 << 20;
    printf("%g\n", d.x);
    d.w[0] = 1;
    printf("%d\n", d.x == 3.0);
    return 0;
}
